import type { Context } from './context.ts';

/**
 * An address in the service's web pages. The host of the programming interface has no pages: without the web address of
 * the profile there is none.
 */
export const webLink = ({ web }: Pick<Context, 'web'>, path: string): string | undefined =>
  web === undefined ? undefined : `${web.replace(/\/+$/, '')}${path}`;

/** Why there is no link, and what to do. */
export const noWebAddress = ({ profile }: Pick<Context, 'profile'>): string =>
  profile.name === 'demo'
    ? 'No link: the demo organisation has no web pages'
    : `No link: profile ${profile.name} has no web address; set it in P, e, or with orgdeck profiles edit ${profile.name} --web-url URL`;
