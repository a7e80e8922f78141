/** An error text; `#`, `%` and `@` in the message are replaced by a number, an id and a word. */
export interface ErrorText {
  readonly type: string;
  readonly message: string;
  readonly function: string;
  /** File name without folder and extension; empty = unknown. */
  readonly file: string;
  readonly crash?: boolean;
}

const of = (type: string, message: string, name: string, file: string, crash = false): ErrorText => ({
  type,
  message,
  function: name,
  file,
  crash,
});

const browser: readonly ErrorText[] = [
  of('TypeError', "Cannot read properties of undefined (reading '%')", 'renderSummary', 'summary'),
  of('TypeError', 'cart.items.map is not a function', 'CartList', 'cart'),
  of('ChunkLoadError', 'Loading chunk # failed. (timeout: /static/#.js)', 'requireChunk', 'bootstrap'),
  of('RangeError', 'Maximum call stack size exceeded', 'deepMerge', 'merge'),
  of('NetworkError', 'Failed to fetch /api/@ after # ms', 'fetchJson', 'http'),
  of('SyntaxError', 'Unexpected token < in JSON at position 0', 'parseAnswer', 'http'),
  of('AbortError', 'The user aborted a request for %.', 'loadMore', 'list'),
  of('QuotaExceededError', 'Storage is full: could not keep %', 'remember', 'storage'),
  of('HydrationError', 'Text content does not match: "#" and "#"', 'Price', 'price'),
  of('ReferenceError', 'checkoutConfig is not defined', '', ''),
  of('console.error', 'Warning: each child in a list should have a unique key', '', ''),
];
const mobile: readonly ErrorText[] = [
  of('EXC_BAD_ACCESS', 'Attempted to dereference garbage pointer at 0x#', 'ImageCache.trim', 'ImageCache', true),
  of('IndexOutOfBoundsException', 'Index: #, Size: #', 'onBindViewHolder', 'ItemAdapter', true),
  of('NullPointerException', 'Attempt to invoke a method on a null % reference', 'onResume', 'BasketActivity', true),
  of('OutOfMemoryError', 'Failed to allocate a # byte allocation', 'decode', 'Pictures', true),
  of('StateError', 'Bad state: no % was found', 'restore', 'session'),
  of('TimeoutException', 'No answer for % after # seconds', 'poll', 'tracking'),
  of('WatchdogTermination', 'The app was ended for taking # ms', 'main', 'AppDelegate', true),
  of('SSLHandshakeException', 'Chain validation failed', 'connect', 'Http'),
];
const managed: readonly ErrorText[] = [
  of('NullPointerException', 'Cannot invoke "Basket.total()" because "basket" is null', 'priceOf', 'PriceService'),
  of(
    'SQLTransientConnectionException',
    'pool-# - Connection is not available, request timed out after #ms',
    'getConnection',
    'Pool',
  ),
  of('OptimisticLockException', 'Row of @ was changed by another transaction', 'save', 'Repository'),
  of('IllegalStateException', 'Order # is already shipped', 'cancel', 'OrderMachine'),
  of('ConcurrentModificationException', 'The list of @ changed while it was read', 'next', 'Items'),
  of('SocketTimeoutException', 'Read timed out: @.internal.example.test:#', 'execute', 'Client'),
  of('OutOfMemoryError', 'Java heap space', 'grow', 'Buffers', true),
  of('HttpRequestException', 'Response status code does not indicate success: 503', 'SendAsync', 'Gateway'),
];
const native: readonly ErrorText[] = [
  of('*errors.errorString', 'context deadline exceeded while reading @', 'Settle', 'settle'),
  of('runtime.boundsError', 'index out of range [#] with length #', 'merge', 'batch', true),
  of('*net.OpError', 'dial tcp 10.0.3.#:#: connect: connection refused', 'dial', 'dial'),
  of('panic', 'called `Option::unwrap()` on a `None` value', 'rank', 'rank', true),
  of('DecodeError', 'invalid % in line #', 'decode', 'decode'),
  of('*url.Error', 'Get "https://rates.example.test/v2": EOF', 'Rates', 'rates'),
];
const scripted: readonly ErrorText[] = [
  of('KeyError', "'%'", 'enrich', 'enrich'),
  of('ValueError', 'time data "#" does not match format', 'parse_day', 'dates'),
  of('OperationalError', 'server closed the connection unexpectedly', 'execute', 'db'),
  of('NoMethodError', "undefined method `price' for nil:NilClass", 'total', 'total'),
  of('ActiveRecord::RecordNotFound', "Couldn't find Item with 'id'=#", 'find', 'finder'),
  of('MemoryError', 'Unable to allocate # MiB for an array', 'fit', 'model', true),
  of('FunctionClauseError', 'no function clause matching in Quotes.rate/2', 'rate/2', 'quotes'),
  of(
    'DBConnection.ConnectionError',
    'connection not available and request was dropped from queue after #ms',
    'checkout/2',
    'repo',
  ),
  of('UnicodeDecodeError', "'utf-8' codec can't decode byte 0x# in position #", 'read_feed', 'feed'),
];

/** The errors that programs of a language and platform throw. */
export function errorsOf(language: string, platform: string): readonly ErrorText[] {
  if (platform === 'BROWSER') return browser;
  if (platform !== 'BACKEND') return mobile;
  if (['JAVA', 'KOTLIN', 'SCALA', 'C_SHARP'].includes(language)) return managed;
  return ['GO', 'RUST'].includes(language) ? native : scripted;
}
