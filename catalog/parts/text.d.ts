import type { Locale } from '@partner-portal/contract/locales.ts';

// What the previews of the service share with the steps, which run in the engine.
export function closeBlanks(text: string): string;
export function firstName(name: unknown): string;
export function localTime(iso: string, timezone: string, locale: Locale): string;
export function smsBody(parts: { text: string; link?: string | undefined; line: string }): string;
export function unlinked(text: unknown): string;
