import { type ParseResult, unreadable } from './function-results.ts';
import { shortened } from './text.ts';

/** Colors of the dashboard; `src/scene/theme.ts` says what they look like. */
export const themeNames = ['default', 'light', 'mono', 'high-contrast'] as const;
export type ThemeName = (typeof themeNames)[number];

export const isThemeName = (text: string): text is ThemeName => (themeNames as readonly string[]).includes(text);

/** How a person is notified: not at all, by the bell, or by a desktop notification of the terminal (OSC 9, OSC 777). */
export const notifyWays = ['off', 'bell', 'osc9', 'osc777'] as const;
export type NotifyWay = (typeof notifyWays)[number];

/** Ctrl letters that terminals send as another key, or that end or stop programs. */
const others: Readonly<Record<string, string>> = { h: 'Backspace', i: 'Tab', j: 'Enter', m: 'Enter' };

/**
 * A key as the keyboard names it (`R`, `+`, `ctrl+e`, `alt+x`), from what a person writes (also `Ctrl-E`, `Alt-x`); or why it
 * is none that can be bound.
 */
export function readKeyName(typed: string): ParseResult<string> {
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(typed)) return { ok: true, value: typed };
  const control = /^ctrl[-+]([a-z])$/i.exec(typed)?.[1]?.toLowerCase();
  const other = others[control ?? ''];
  if (other !== undefined) return { ok: false, text: `Ctrl-${control?.toUpperCase()} is ${other} for a terminal` };
  if (control !== undefined) return { ok: true, value: `ctrl+${control}` };
  const alt = /^alt[-+]([a-zA-Z\d])$/i.exec(typed)?.[1];
  if (alt !== undefined) return { ok: true, value: `alt+${alt}` };
  return { ok: false, text: 'write one character, or Ctrl-E or Alt-E' };
}

/** A command line of a shell, perhaps unfinished: the words before the last, and the last one. */
interface ShellLine {
  readonly words: readonly string[];
  /** What the last word says so far; empty behind a space. */
  readonly current: string;
  /** The current word as it was typed, with its quotes and backslashes. */
  readonly typed: string;
  /** A quote has no end. */
  readonly isOpen: boolean;
}

/** Splits a line as a POSIX shell does; expansions stay as they are. */
export function splitCommandLine(text: string): ShellLine {
  const words: string[] = [];
  let current = '';
  let start: number | undefined;
  let quote = '';
  for (let cursor = 0; cursor < text.length; cursor += 1) {
    const char = text[cursor] as string;
    if (quote === '' && /\s/.test(char)) {
      if (start !== undefined) words.push(current);
      current = '';
      start = undefined;
      continue;
    }
    start ??= cursor;
    if (char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (char === '\\' && quote !== "'") {
      cursor += 1;
      current += unescaped(text[cursor] ?? '', quote);
    } else current += char;
  }
  return { words, current, typed: start === undefined ? '' : text.slice(start), isOpen: quote !== '' };
}

/** A letter behind a backslash; between double quotes the backslash stays before all but four. */
const unescaped = (letter: string, quote: string): string =>
  quote === '"' && !'$`"\\'.includes(letter) ? `\\${letter}` : letter;

/** The words of a whole command line. Undefined: a quote has no end. */
export function splitCommand(text: string): string[] | undefined {
  const { words, current, typed, isOpen } = splitCommandLine(text);
  if (isOpen) return undefined;
  return typed === '' ? [...words] : [...words, current];
}

/** A base URL that keys may be sent to, or one sentence that says what to type instead. */
type BaseUrl = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly text: string };

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
  if (/[?#]/.test(text)) return unreadable(`a base URL has no "?" or "#" part: ${url.origin}${url.pathname}`);
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
const shown = (text: string): string => shortened(text.replace(/\p{C}/gu, '?'), 80);
