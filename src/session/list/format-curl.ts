import { keyHeaders } from '../../api/key-headers.ts';
import type { Context } from '../../describe/context.ts';
import type { AnyList } from '../../describe/screen.ts';
import { percentEncoded } from '../../lib/percent.ts';
import type { Row } from '../rows/list-state.ts';

/** The detail's read as a curl command in the deployment's vocabulary; the keys are environment variables. */
export function formatCurl(list: AnyList, row: Row, context: Context): string | undefined {
  const { vocabulary } = context;
  const first = list.detail?.load?.(row, context).plan(context).next();
  if (!first || first.done || !('endpoint' in first.value)) return undefined;
  const { endpoint, params, query } = first.value;
  const template = vocabulary ? vocabulary.path(endpoint) : endpoint.path;
  // A secret in the path becomes a shell variable.
  const path = template.replace(/\{([^}]+)\}/g, (place, name: string) =>
    endpoint.secrets?.includes(place) ? `'"$${name.toUpperCase()}"'` : encoded(params[name] ?? ''),
  );
  const names = vocabulary ? vocabulary.out.query(endpoint, query) : query;
  const asked = Object.entries(names).filter(([, value]) => value != null);
  const search = asked.map(
    ([name, value]) => `${encoded(name)}=${encoded(Array.isArray(value) ? value.join(',') : String(value))}`,
  );
  const url = `${context.origin}${path}${search.length > 0 ? `?${search.join('&')}` : ''}`;
  const { apiKey, appKey } = vocabulary?.headers ?? keyHeaders;
  return `curl -s -H "${apiKey}: $ORGDECK_API_KEY" -H "${appKey}: $ORGDECK_APP_KEY" '${url}'`;
}

/** Encodes for a URL inside single quotes of a shell. */
const encoded = (text: string): string => percentEncoded(text).replaceAll("'", '%27');
