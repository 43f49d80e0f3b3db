import { ui } from '@partner-portal/messages/en/ui.ts';
import { useSyncExternalStore } from 'react';
import { Listeners } from '../hooks/listeners.ts';

/** Texts of controls. They hold values as `{name}` only, so that they can be shown before a language is loaded. */
export type UiKey = keyof typeof ui;
type Values = Readonly<Record<string, string | number>>;
/** The reader of the pages: the BCP 47 tag of dates and numbers, the time zone of times, and the texts of controls in their language. */
export type Reader = {
  tag: string;
  /** Absent before anyone is known: times are in the zone of the browser. */
  timezone?: string;
  t: (key: UiKey, values?: Values) => string;
  /** The text of a refusal by its code; absent for readers of English, in which the service itself answers. */
  problem?: (code: string, values?: Values) => string | undefined;
};

const ENGLISH: Reader = {
  tag: 'en-GB',
  t: (key, values = {}) => ui[key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '')),
};

let reader = ENGLISH;
const listeners = new Listeners();

/** Sets the language of controls, dates and numbers. English keeps the British order of dates. */
export function setReader(next: Reader): void {
  reader = next.tag.startsWith('en') ? { ...next, tag: ENGLISH.tag } : next;
  listeners.notify();
}

/** Sets the time zone of someone who is logged in, before their language is loaded: what a page asks for first depends on it. */
export function setReaderZone(timezone: string): void {
  reader = { ...reader, timezone };
}

export function readerTag(): string {
  return reader.tag;
}

/** The time zone of the reader's profile; without one that of the browser. */
export function readerZone(): string {
  return reader.timezone ?? browserZone();
}

export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The text of a refusal by its code; undefined where the service's own English one is to be shown. */
export function problemText(code: string, values?: Values): string | undefined {
  return reader.problem?.(code, values);
}

/** A text of a control, outside of rendering. */
export function uiText(key: UiKey, values?: Values): string {
  return reader.t(key, values);
}

let ahead = 0;

/** Sets how far the service's clock is ahead of the browser's, in milliseconds. */
export function setReaderClock(aheadMs: number): void {
  ahead = aheadMs;
}

/** The time by the service's clock, with which times that have passed are compared. */
export function readerNow(): Date {
  return new Date(Date.now() + ahead);
}

/** Returns the texts of controls; the component renders again when the reader chooses another language. */
export function useUiText(): Reader['t'] {
  return useSyncExternalStore(
    listeners.subscribe,
    () => reader.t,
    // For the start page, which the build renders.
    () => reader.t,
  );
}
