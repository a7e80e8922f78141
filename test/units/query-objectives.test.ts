import { expect, test } from 'vitest';
import { table } from '../support/queries.ts';

test('these queries have these diagnostics', () => {
  expect(
    table('slo alert', [
      'error_budget("slo-a1") > 75',
      'burn_rate("slo-a1").over("30d").long_window("1h").short_window("5m") < 7.5',
      'error_budget().over("7d") > 75',
      'error_budget("").over("") > 75',
      'error_budget("slo-a1").over("month_to_date") > 75',
      'error_budget("slo-a1").over("7d") > 123.0',
      'error_budget("slo-a1").over("7d") > -1',
      'error_budget("slo-a1").over("7d").long_window("1h") > 75',
      'error_budget("slo-a1).over("7d") > 75',
      'error-budget("slo-a1").over("7d") > 75',
      'burn_rate("slo-a1").over("1h").long_window("1h").short_window("5m") > 14.4',
      'burn_rate("slo-a1").over("7d") > 14.4',
      'burn_rate("slo-a1").over("7d").long_window("72h").short_window("") > 14.4',
      'burn_rate("slo-a1").over("7d").long_window("1h").short_window("2h") > 20000',
      'logs("*").rollup("count").last("5m") > 1',
    ]),
  ).toMatchInlineSnapshot(`
    "
    error_budget("slo-a1") > 75
      wrong error_budget: the time window of the SLO is missing (write .over("30d"))
    burn_rate("slo-a1").over("30d").long_window("1h").short_window("5m") < 7.5
      wrong <: < is not an operator of a burn rate (write >= or >)
    error_budget().over("7d") > 75
      wrong error_budget: the id of the SLO is missing (write error_budget("…") with its id)
    error_budget("").over("") > 75
      wrong "": the id of the SLO is missing (write error_budget("…") with its id)
      wrong "": the time window of the SLO is empty (write 7d, 30d or 90d)
    error_budget("slo-a1").over("month_to_date") > 75
      doubtful "month_to_date": month_to_date is not a time window of an SLO (write 7d, 30d or 90d)
    error_budget("slo-a1").over("7d") > 123.0
      doubtful 123.0: 123.0 is over 100 percent of the budget (write 0 to 100)
    error_budget("slo-a1").over("7d") > -1
      doubtful -1: -1 is below 0 (write a number above 0)
    error_budget("slo-a1").over("7d").long_window("1h") > 75
      doubtful long_window: long_window is not a known step of an error budget (write over)
    error_budget("slo-a1).over("7d") > 75
      wrong "slo-a1: the quote before slo-a1 is not closed (write "slo-a1")
    error-budget("slo-a1").over("7d") > 75
      wrong error-budget: error-budget is not a source (write error_budget)
    burn_rate("slo-a1").over("1h").long_window("1h").short_window("5m") > 14.4
      doubtful "1h": 1h is not a time window of an SLO (write 7d, 30d or 90d)
    burn_rate("slo-a1").over("7d") > 14.4
      doubtful burn_rate: a burn rate needs a long window (write .long_window("1h"))
      doubtful burn_rate: a burn rate needs a short window (write .short_window("5m"))
    burn_rate("slo-a1").over("7d").long_window("72h").short_window("") > 14.4
      doubtful "72h": long window 72h is outside 1h to 48h (write 1h to 48h)
      doubtful "": an empty text is not a window (write a number and m or h: 5m)
    burn_rate("slo-a1").over("7d").long_window("1h").short_window("2h") > 20000
      doubtful "2h": short window 2h is not shorter than 1h (a twelfth is usual: 5m)
      doubtful 20000: 20000 is faster than any budget burns (at most 1 / (1 - target))
    logs("*").rollup("count").last("5m") > 1
      wrong logs: logs is not a source of an error budget (write error_budget, or choose the type log alert)
    "
  `);
});
