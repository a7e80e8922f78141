import { unreadable } from './parse-result.ts';

/** A base URL that keys may be sent to, or one sentence that says what to type instead. */
export type BaseUrl = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly text: string };

/**
 * Reads the address of a deployment: https, or http to this machine alone; a path prefix is allowed, and
 * nothing else is (no user, no query, no fragment). `url` comes back in one spelling, without a slash at
 * the end, so that two spellings of one address compare as equal. A text with a password in it is never repeated.
 */
export function readBaseUrl(typed: string): BaseUrl {
  const text = typed.trim();
  const example = 'type it as https://api.example.test';
  if (text === '') return unreadable(`a base URL is required: ${example}`);
  if (/@/.test(text)) return unreadable(`a base URL holds no user name or password: ${example}`);
  const shownText = shown(text);
  if (/[\s\p{Cc}]/u.test(text))
    return unreadable(`the base URL "${shownText}" has a space or a control character in it: ${example}`);
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text))
    return unreadable(`the base URL "${shownText}" does not begin with https://: ${example}`);
  if (!/^https?:\/\/[^/]/i.test(text)) {
    const scheme = text.slice(0, text.indexOf('://'));
    return /^https?$/i.test(scheme)
      ? unreadable(`the base URL "${shownText}" names no host: ${example}`)
      : unreadable(`the base URL "${shownText}" begins with "${shown(scheme)}://", not with https://: ${example}`);
  }
  if (!URL.canParse(text))
    return unreadable(`the base URL "${shownText}" cannot be read, check the host and the port: ${example}`);
  const url = new URL(text);
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text))
    return unreadable(`a base URL has no "?" or "#" part: ${url.origin}${url.pathname}`);
  if (/(^|\.)\.|\.$/.test(url.hostname)) return unreadable(`the host in "${shownText}" has a dot too many: ${example}`);
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return unreadable(
      `keys are not sent over plain http to ${url.host}: use https://${url.host} (http is for this machine only)`,
    );
  return { ok: true, url: `${url.origin}${url.pathname}`.replace(/\/+$/, '') };
}

/** Whether a host name can only be this machine: `localhost`, 127.0.0.0/8 or ::1, as `URL.hostname` spells them. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

/** Scheme, host and port of a base URL: what keys belong to. */
export function readOrigin(baseUrl: string): string {
  return new URL(baseUrl).origin;
}
const shown = (text: string): string => {
  const clean = text.replace(/\p{C}/gu, '?');
  return clean.length > 80 ? `${clean.slice(0, 79)}…` : clean;
};
