/** What the specification writes where deployments have brands of their own (docs/contract/README.md#names). */
export const neutralWords = ['provider_a', 'provider_b', 'provider_c', 'tracker_a', 'tracker_b'] as const;
type NeutralWord = (typeof neutralWords)[number];

/** The prefix of the key headers. */
export const neutralService = 'SERVICE';

/** The first word of the names of managed roles: `Service Admin Role`. */
export const neutralRoles = 'Service';

/** What a deployment calls things: everything that is left out keeps its neutral word. */
export interface Vocabulary {
  /** Prefix of the key headers: `ACME` gives `ACME-API-KEY`. */
  readonly service?: string;
  /** First word of the names of managed roles: `Acme` gives `Acme Admin Role`. */
  readonly roles?: string;
  /** Parts of identifiers, in lower case; in upper case they are replaced by the same word in upper case. */
  readonly words?: Readonly<Partial<Record<NeutralWord, string>>>;
  /** What titles and sentences of this program call them; the entry of `words` where there is none. */
  readonly labels?: Readonly<Partial<Record<NeutralWord, string>>>;
  /** Whole words at one named place of the contract, where the deployment's word is no plain replacement. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
