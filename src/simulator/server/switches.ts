/** Behaviours of other deployments that a test can turn on (the last section of each contract file). */
export interface Switches {
  /** `creator.name` is null; in search `creator.id` becomes an object. */
  nullCreatorName: boolean;
  /** Stored options come back without the server's defaults. */
  missingOptions: boolean;
  /** Integers of monitors come back as `2.0` or as text. */
  floatInts: boolean;
  /** Some states, types and classifications are words that nobody knows. */
  unknownWords: boolean;
  /** No `draft_status`, as on older deployments. */
  noDraftStatus: boolean;
  /** `silenced` holds a key that ended an hour ago. */
  staleSilences: boolean;
  /** A stored query that does not parse (contract/monitors.md 9.7). */
  unreadableQueries: boolean;
  /** A newline after each JSON body. */
  trailingNewline: boolean;
  /** A key with `monitors_downtime` alone may unmute; the specification asks for `monitors_write`. */
  downtimeMayUnmute: boolean;
  /** A list without paging ignores `page`, `page_size` and `id_offset`. */
  ignoresPages: boolean;
  /** Paths that do not exist answer with a page of HTML. */
  htmlNotFound: boolean;
  /** No answer carries rate headers. */
  noRateHeaders: boolean;
  /** 429 and 5xx come as HTML. */
  htmlProblems: boolean;
  /** Issue answers leave out half of what `include` asked for. */
  missingIncluded: boolean;
  /** Issue answers carry no `included` at all. */
  noIncluded: boolean;
  /** People inside `included` have empty names. */
  emptyNames: boolean;
  /** Error tracking answers errors as texts instead of objects. */
  textErrors: boolean;
  /** Counts of a search result are missing. */
  missingCounts: boolean;
  /** Another operator moves an issue right after it was read. */
  movedByAnother: boolean;
  /** `current_user` refuses scoped application keys. */
  scopedKeysUnknown: boolean;
  /** Integrations of an older server: newer fields are missing, resources are not collected unless asked for. */
  olderIntegrations: boolean;
  /** Some seconds after an account was made, its credentials turn out to be wrong. */
  accountErrors: boolean;
  /** Without any account the lists of provider_b say that nothing is installed, instead of an empty list. */
  emptyIsNotInstalled: boolean;
  /** Files in the cloud cannot be read with what was given. */
  cloudTablesFail: boolean;
  /** Missing keys are 401 instead of 403. */
  unauthorized: boolean;
  /** The secret of an application key is shown by the call that makes it, and never again. */
  oneTimeRead: boolean;
  /** Every key counts as leaked. */
  leakedKeys: boolean;
  /** An unknown role is said in the newer shape, `errors` of objects. */
  newRoleErrors: boolean;
  /** Mappings carry the SAML attribute of the specification, which no recording had. */
  samlAttributes: boolean;
  /** A thousand more retention filters, all of one name. */
  manyFilters: boolean;
  /** An archive needs an account at its provider. */
  needsIntegration: boolean;
  /** Archives without the fields of newer servers. */
  oldArchives: boolean;
  /** The last archive has no destination. */
  nullDestination: boolean;
}

/** All off: the deployment that the contract describes. */
export function createSwitches(): Switches {
  return {
    nullCreatorName: false,
    missingOptions: false,
    floatInts: false,
    unknownWords: false,
    noDraftStatus: false,
    staleSilences: false,
    unreadableQueries: false,
    trailingNewline: false,
    downtimeMayUnmute: false,
    ignoresPages: false,
    htmlNotFound: false,
    noRateHeaders: false,
    htmlProblems: false,
    missingIncluded: false,
    noIncluded: false,
    emptyNames: false,
    textErrors: false,
    missingCounts: false,
    movedByAnother: false,
    scopedKeysUnknown: false,
    olderIntegrations: false,
    accountErrors: false,
    emptyIsNotInstalled: false,
    cloudTablesFail: false,
    unauthorized: false,
    oneTimeRead: false,
    leakedKeys: false,
    newRoleErrors: false,
    samlAttributes: false,
    manyFilters: false,
    needsIntegration: false,
    oldArchives: false,
    nullDestination: false,
  };
}
