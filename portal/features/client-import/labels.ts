import type { ClientImportOutcome, ClientImportUndo, TableDelimiter, TableEncoding } from '@partner-portal/contract/vocabulary.ts';
import type { MarkKind } from '../../ui/feedback/mark.tsx';

export const OUTCOMES: Readonly<Record<ClientImportOutcome, { word: string; planned: string; mark: MarkKind }>> = {
  created: { word: 'Added', planned: 'Will be added', mark: 'ok' },
  updated: { word: 'Changed', planned: 'Will be changed', mark: 'live' },
  unchanged: { word: 'Unchanged', planned: 'Unchanged', mark: 'skip' },
  refused: { word: 'Refused', planned: 'Refused', mark: 'bad' },
};
export const UNDONE: Readonly<Record<ClientImportUndo, { word: string; mark: MarkKind }>> = {
  removed: { word: 'Removed again', mark: 'skip' },
  restored: { word: 'Restored', mark: 'skip' },
  kept: { word: 'Kept', mark: 'warn' },
};
export const DELIMITERS: Readonly<Record<TableDelimiter, string>> = {
  comma: 'Comma',
  semicolon: 'Semicolon',
  tab: 'Tab',
  pipe: 'Vertical bar',
};
export const ENCODINGS: Readonly<Record<TableEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
};
