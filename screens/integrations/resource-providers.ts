import { type DetailLine, pair } from '../../src/describe/column.ts';
import { type Field, listField, readAs } from '../../src/describe/field.ts';

/** Whether an account collects the metrics of one resource provider. */
interface Config {
  readonly namespace?: string | null | undefined;
  readonly metrics_enabled?: boolean | null | undefined;
}

type Configs = readonly Config[] | null | undefined;

const onOff = ({ metrics_enabled: isOn }: Config): string => (isOn == null ? '' : isOn ? 'on' : 'off');

/** `example.compute off`, as a person reads and writes it. */
const wordOf = (config: Config): string => `${config.namespace} ${onOff(config)}`.trim();

const written = /^(\S+)(?: +(on|off))?$/i;

/** The resource providers with a setting of their own; what else one of them says is kept. */
export function resourceProvidersField(label: string, now: Configs): Field<Config[]> {
  const providers = (now ?? []).filter(({ namespace }) => namespace);
  const unnamed = (now ?? []).filter(({ namespace }) => !namespace);
  const words = listField(label, providers.map(wordOf), {
    hint: 'Namespaces, each with on or off: example.compute off, example.web on',
    check: (word) => written.test(word) || `${word} is no resource provider: write its namespace and on or off`,
  });
  return readAs(words, (all) => ({
    ok: true,
    value: [
      ...all.map((word): Config => {
        const [, namespace = '', chosen] = written.exec(word) ?? [];
        const same = providers.find((config) => config.namespace === namespace);
        const isOn = chosen === undefined ? (same?.metrics_enabled ?? true) : chosen.toLowerCase() === 'on';
        return { ...same, namespace, metrics_enabled: isOn };
      }),
      ...unnamed,
    ],
  }));
}

/** A line for each resource provider. */
export const resourceProviderLines = (configs: Configs): readonly DetailLine[] =>
  (configs ?? []).map((config) => {
    const metrics = onOff(config);
    return pair(config.namespace ?? '(no name)', metrics && `metrics ${metrics}`);
  });
