/** Units of the options that are a length of time (docs/contract/monitor-queries.md#options). */
export const optionUnits: Readonly<Record<string, 's' | 'min' | 'h'>> = {
  evaluation_delay: 's',
  min_failure_duration: 's',
  new_group_delay: 's',
  new_host_delay: 's',
  no_data_timeframe: 'min',
  renotify_interval: 'min',
  timeout_h: 'h',
};
