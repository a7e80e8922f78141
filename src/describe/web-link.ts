import type { Context } from './context.ts';
import type { AnyList } from './screen.ts';

/**
 * An address in the service's web pages. The host of the programming interface has no pages: without the web address of
 * the profile there is none.
 */
export const webLink = ({ web }: Pick<Context, 'web'>, path: string): string | undefined =>
  web === undefined ? undefined : `${web.replace(/\/+$/, '')}${path}`;

/** Why there is no link without a web address, and what to do. */
const noWebAddress = ({ profile }: Pick<Context, 'profile'>): string =>
  profile.name === 'demo'
    ? 'the demo organization has no web pages'
    : `profile ${profile.name} has no web address; set it in P, e, or with orgdeck profiles edit ${profile.name} --web-url URL`;

export const noLink = 'this row has no link';

/** Why no row of the list has a link, and what to do; undefined where they may have one. */
export function whyNoLinks(list: Pick<AnyList, 'link'>, context: Context): string | undefined {
  if (list.link === undefined) return noLink;
  return context.web === undefined ? noWebAddress(context) : undefined;
}
