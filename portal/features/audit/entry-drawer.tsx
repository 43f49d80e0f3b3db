import { AUDIT_ACTIONS } from '@partner-portal/contract/audit-actions.ts';
import { ERRORS } from '@partner-portal/contract/errors.ts';
import { describeAuditEntry } from '@partner-portal/core/audit/sentence.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatUtc } from '../../ui/text/format.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { KeyValues } from '../../ui/layout/layout.tsx';
import type { SearchChange } from '../../app/search-state.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Time } from '../../ui/text/time.tsx';
import { ChangeTable } from './change-table.tsx';
import { type AuditEntry, auditEntryQuery, type AuditScope, type AuditSearch } from './queries.ts';

type Props = {
  id: string;
  /** The entry if the list has loaded it. */
  loaded: AuditEntry | undefined;
  scope: AuditScope;
  isStaff: boolean;
  search: AuditSearch;
  onSearch: (change: SearchChange<AuditSearch>) => void;
  onClose: () => void;
};

/** One audit entry next to the list, with links that filter for similar entries. */
export function EntryDrawer({ id, loaded, scope, isStaff, search, onSearch, onClose }: Props) {
  const found = useQuery({ ...auditEntryQuery(id, scope), enabled: loaded === undefined });
  const query = loaded ? { ...found, data: loaded, error: null } : found;
  const entry = query.data ?? undefined;
  const sentence = entry ? describeAuditEntry(entry) : undefined;
  return (
    <Drawer
      open
      onClose={onClose}
      title={entry ? labelOf(entry.action) : 'Audit entry'}
      meta={entry ? <Time iso={entry.at} style="long" /> : undefined}
      actions={entry?.result === 'refused' ? <Badge mark="bad">Refused</Badge> : undefined}
    >
      <Loaded query={query} skeleton={<SkeletonRows rows={6} label="Loading the entry" />}>
        {() =>
          entry ? (
            <div className="grid grid-cols-1 gap-6">
              {sentence ? (
                <p className="text-lg leading-snug">
                  <b className="font-semibold">{sentence.who}</b> {sentence.what}
                </p>
              ) : null}
              <Refusal entry={entry} />
              <ChangeTable changes={entry.result === 'refused' ? {} : entry.changes} />
              <Facts entry={entry} isStaff={isStaff} />
              <More entry={entry} search={search} onSearch={onSearch} />
            </div>
          ) : (
            <Note tone="warn">This entry is past its retention period, or you have no access to it.</Note>
          )
        }
      </Loaded>
    </Drawer>
  );
}

/** Falls back to the action's own name for actions that were removed. */
function labelOf(action: string): string {
  return Object.entries(AUDIT_ACTIONS).find(([known]) => known === action)?.[1].label ?? action;
}

function Refusal({ entry }: { entry: AuditEntry }) {
  if (entry.result !== 'refused') return null;
  const code = entry.changes['refusal']?.[1];
  const title = Object.entries(ERRORS).find(([known]) => known === code)?.[1].title;
  return (
    <Note tone="bad">
      No changes made. {title ? `${title}.` : ''} {typeof code === 'string' ? <code>{code}</code> : null}
    </Note>
  );
}

function Facts({ entry, isStaff }: { entry: AuditEntry; isStaff: boolean }) {
  const { actor, target } = entry;
  const rows: [string, ReactNode][] = [
    ['When', formatUtc(entry.at)],
    ['Who', <Who key="w" person={actor} />],
    ...(actor.via ? [['Via “View as”', entry.clientName ?? entry.partnerName] as [string, ReactNode]] : []),
    ['Action', <code key="a">{entry.action}</code>],
    ...(target
      ? [['About', <Copied key="t" text={target.label ?? target.id ?? target.type} copy={target.id} />] as [string, ReactNode]]
      : []),
    ...(isStaff ? [['Agency', entry.partnerName] as [string, ReactNode]] : []),
    ['Client', entry.clientName ?? '–'],
    ['Address', entry.ip ? <code key="i">{entry.ip}</code> : '–'],
    ['Browser', entry.userAgent ?? '–'],
    ['Request', entry.requestId ? <Copied key="r" text={entry.requestId.slice(0, 8)} copy={entry.requestId} /> : '–'],
  ];
  return <KeyValues rows={rows} />;
}

function Who({ person }: { person: AuditEntry['actor'] }) {
  const name = person.name ?? person.email ?? (person.type === 'system' ? 'Not logged in' : '–');
  return (
    <>
      {name}
      {person.name && person.email ? <span className="block text-xs text-ink-3">{person.email}</span> : null}
    </>
  );
}

function Copied({ text, copy }: { text: string; copy: string | null }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      {text}
      {copy ? <CopyButton icon text={copy} label={`Copy the ID of ${text}`} /> : null}
    </span>
  );
}

type Way = readonly [label: string, change: AuditSearch];

/** Links that filter for similar entries; omits filters already set. */
function More({ entry, search, onSearch }: Pick<Props, 'search' | 'onSearch'> & { entry: AuditEntry }) {
  const { actor, target, clientId, clientName } = entry;
  const who = actor.id ?? (actor.type === 'staff' ? 'staff' : undefined);
  const ways: Way[] = [
    ...(who && search.actor !== who ? [[`Only actions by ${actor.name ?? actor.email ?? 'this user'}`, { actor: who }] as const] : []),
    ...(target?.id && search.target !== target.id ? [[`Only about ${target.label ?? 'this'}`, { target: target.id }] as const] : []),
    ...(clientId && search.client !== clientId ? [[`Only ${clientName ?? 'this client'}`, { client: clientId }] as const] : []),
  ];
  if (ways.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-2 border-t border-line-soft pt-4">
      {ways.map(([label, change]) => (
        <button key={label} type="button" className="link min-h-6 text-left" onClick={() => onSearch(change)}>
          {label}
        </button>
      ))}
    </div>
  );
}
