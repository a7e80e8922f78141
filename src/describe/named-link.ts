/** An address with what it is called; nameless where only the address is known. */
export interface NamedLink {
  readonly name: string;
  readonly url: string;
}
