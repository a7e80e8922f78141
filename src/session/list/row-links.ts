import type { Context } from '../../describe/context.ts';
import type { NamedLink } from '../../describe/named-link.ts';
import type { Row } from '../rows/list-state.ts';
import type { Layer } from '../state/layer.ts';
import type { View } from '../state/view.ts';

const webPage = 'Web page';

type Linked = Pick<View, 'acting' | 'blocks' | 'detail' | 'list'>;

/** The rows that are acted on; that of a detail as it was read whole. */
export function actingWhole({ acting, detail, list }: Omit<Linked, 'blocks'>): readonly Row[] {
  const { inside } = list.detail ?? {};
  if (acting.list !== list || !inside || detail?.whole.value === undefined) return acting.rows;
  return [inside.get(detail.whole.value)];
}

/** Addresses of the row: its runbooks, those that its board names, and its page. Each once. */
export function rowLinks(view: Linked, context: Context): readonly NamedLink[] {
  const { list } = view.acting;
  const [row] = actingWhole(view);
  const own = row === undefined ? [] : (list.runbooks?.(row, context) ?? []);
  const page = row === undefined ? undefined : list.link?.(row, context);
  const runbooks = [...own, ...view.blocks.flatMap((block) => block.runbooks ?? [])].map(({ name, url }) => ({
    name: `Runbook ${name}`.trim(),
    url,
  }));
  const all = page === undefined ? runbooks : [...runbooks, { name: webPage, url: page }];
  return all.filter(({ url }, at) => all.findIndex((one) => one.url === url) === at);
}

/** The addresses to choose from where there is a browser, else to read and copy: one alone, several below their names. */
export const linksLayer = (links: readonly NamedLink[], { browses }: Pick<Context, 'browses'>): Layer =>
  browses ? openMenu(links) : linksText(links);

const openMenu = (links: readonly NamedLink[]): Layer => ({
  kind: 'menu',
  title: 'Open in the browser',
  items: links.map(({ name, url }, at) => ({
    id: url,
    key: '123456789'[at],
    label: name,
    hint: url,
    run: { type: 'openLink', name, url },
  })),
  cursor: 0,
});

const linksText = (links: readonly NamedLink[]): Layer => ({
  kind: 'text',
  title: links.length > 1 ? 'Links' : links[0]?.name === webPage ? 'Link' : (links[0]?.name ?? ''),
  lines: links.length === 1 ? links.map(({ url }) => url) : links.flatMap(({ name, url }) => [name, url, '']),
  top: 0,
});
