/** One service of the fictional shop. */
export interface Service {
  readonly name: string;
  readonly team: string;
  readonly language: string;
  readonly platform: string;
  /** File extension and root of its source. */
  readonly source: readonly [root: string, extension: string];
}

const service = (
  name: string,
  team: string,
  language: string,
  platform: string,
  root: string,
  extension: string,
): Service => ({
  name,
  team,
  language,
  platform,
  source: [root, extension],
});

/** Every service of the shop. */
export const services: readonly Service[] = [
  service('checkout-api', 'checkout', 'JAVA', 'BACKEND', 'src/main/java/shop/checkout', 'java'),
  service('checkout-web', 'checkout', 'TYPESCRIPT', 'BROWSER', 'webpack:///src/checkout', 'tsx'),
  service('payments-api', 'payments', 'GO', 'BACKEND', 'internal/payments', 'go'),
  service('payments-worker', 'payments', 'GO', 'BACKEND', 'internal/settlement', 'go'),
  service('storefront-web', 'storefront', 'JAVASCRIPT', 'BROWSER', 'webpack:///src/pages', 'js'),
  service('search-api', 'search', 'RUST', 'BACKEND', 'crates/search/src', 'rs'),
  service('search-indexer', 'search', 'PYTHON', 'BACKEND', 'indexer', 'py'),
  service('inventory-api', 'fulfilment', 'KOTLIN', 'BACKEND', 'src/main/kotlin/shop/inventory', 'kt'),
  service('warehouse-sync', 'fulfilment', 'PYTHON', 'BACKEND', 'sync', 'py'),
  service('shipping-quotes', 'fulfilment', 'ELIXIR', 'BACKEND', 'lib/shipping', 'ex'),
  service('catalog-api', 'storefront', 'RUBY', 'BACKEND', 'app/services/catalog', 'rb'),
  service('cart-api', 'checkout', 'KOTLIN', 'BACKEND', 'src/main/kotlin/shop/cart', 'kt'),
  service('orders-api', 'checkout', 'JAVA', 'BACKEND', 'src/main/java/shop/orders', 'java'),
  service('accounts-api', 'growth', 'C_SHARP', 'BACKEND', 'src/Accounts', 'cs'),
  service('loyalty-api', 'growth', 'C_SHARP', 'BACKEND', 'src/Loyalty', 'cs'),
  service('shop-ios', 'mobile', 'SWIFT', 'IOS', 'Shop/Sources', 'swift'),
  service('shop-android', 'mobile', 'KOTLIN', 'ANDROID', 'app/src/main/java/shop', 'kt'),
  service('courier-app', 'mobile', 'UNKNOWN', 'FLUTTER', 'lib/routes', 'dart'),
  service('store-kiosk', 'mobile', 'TYPESCRIPT', 'REACT_NATIVE', 'src/screens', 'tsx'),
  service('tv-shop', 'mobile', 'BRIGHTSCRIPT', 'ROKU', 'source/components', 'brs'),
  service('pricing-engine', 'data', 'SCALA', 'BACKEND', 'src/main/scala/pricing', 'scala'),
  service('recommendations', 'data', 'PYTHON', 'BACKEND', 'recommend', 'py'),
  service('fraud-scoring', 'payments', 'PYTHON', 'BACKEND', 'scoring', 'py'),
  service('notifications', 'platform', 'ELIXIR', 'BACKEND', 'lib/notify', 'ex'),
  service('media-resizer', 'platform', 'GO', 'BACKEND', 'internal/resize', 'go'),
  service('edge-gateway', 'platform', 'GO', 'BACKEND', 'internal/gateway', 'go'),
  service('admin-console', 'platform', 'PHP', 'BACKEND', 'src/Admin', 'php'),
  service('invoices', 'payments', 'JAVA', 'BACKEND', 'src/main/java/shop/invoices', 'java'),
  service('returns-api', 'fulfilment', 'RUBY', 'BACKEND', 'app/services/returns', 'rb'),
  service('reports', 'data', 'SCALA', 'BACKEND', 'src/main/scala/reports', 'scala'),
];

/** The teams that own the services. */
export const teams: readonly (readonly [handle: string, name: string, summary: string])[] = [
  ['checkout', 'Checkout', 'Cart, orders and the last step before paying'],
  ['payments', 'Payments', 'Taking money, giving it back, and saying no to fraud'],
  ['search', 'Search', 'Finding things, quickly'],
  ['storefront', 'Storefront', 'Everything that a visitor sees first'],
  ['fulfilment', 'Fulfilment', 'Stock, warehouses and parcels'],
  ['mobile', 'Mobile', 'Phones, kiosks and televisions'],
  ['growth', 'Growth', 'Accounts and loyalty'],
  ['data', 'Data', 'Prices, recommendations and reports'],
  ['platform', 'Platform', 'What the others stand on'],
  ['tokyo', '東京チーム', '日本の店舗と決済'],
];

/** Regions of the services. */
export const regions = ['eu1', 'eu2', 'us1', 'us2', 'ap1'] as const;
/** Environments, weighted towards production. */
export const envs = ['prod', 'prod', 'prod', 'prod', 'staging', 'dev'] as const;

/** Texts with terminal escape sequences, used as names and messages. */
export const escapeTexts: readonly string[] = [
  '\u001b[31mred alert\u001b[0m \u001b]0;owned\u0007 title',
  'clear \u001b[2J\u001b[H screen and \u001b]52;c;b3duZWQ=\u0007 clipboard',
  'bidi \u202egnp.exe\u202c end \u2066isolated\u2069 \u200bzero\u200b width',
  'line one\nline two\r\nline three\twith a tab\u0000and a null',
  `long ${'very '.repeat(600)}long tail`,
  `zalgo e${'\u0301\u0322\u0334'.repeat(40)} text`,
  'half a pair \ud83d and the other \ude00 alone',
  '\u009b31m c1 control \u0085 next line \u2028 separator',
];
