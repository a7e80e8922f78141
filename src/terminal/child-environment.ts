export type ChildEnvironment = Readonly<Record<string, string | undefined>>;

/** What no child may see besides our own variables. */
interface Withheld {
  /** Names of variables that keys are read from. */
  readonly names: readonly string[];
  /** Keys: a variable that holds one of them is left out. */
  readonly values: readonly string[];
}

/** The environment of a child: without our own variables, and without those that hold a key. */
export function childEnvironment(env: ChildEnvironment, withheld: Withheld): ChildEnvironment {
  const secrets = withheld.values.filter((value) => value !== '');
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value = '']) =>
        !name.startsWith('ORGDECK_') &&
        !withheld.names.includes(name) &&
        !secrets.some((secret) => value.includes(secret)),
    ),
  );
}
