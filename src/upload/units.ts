const units = ['B', 'kB', 'MB', 'GB'];

/** Bytes as text, in steps of 1000: `90 MB`, `5.3 MB`, `640 B`. */
export function byteText(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  const text = step === 0 || value >= 100 ? String(Math.floor(value)) : (Math.floor(value * 10) / 10).toString();
  return `${text} ${units[step]}`;
}

/** Duration as text in two units, rounded up: `45s`, `4m20s`, `1h5m`. Milliseconds. */
export function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
}
