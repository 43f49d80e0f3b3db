import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { MAIL_KINDS, MAIL_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api } from '../../app/api.ts';
import type { SearchChange } from '../../app/search-state.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { NoMatch } from '../../ui/feedback/no-match.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { ExportButton } from '../../shared/export-button.tsx';
import type { Column } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import { MailDrawer } from './mail-drawer.tsx';
import { MAIL_KIND, MAIL_STATUS } from './mail-labels.ts';
import { FilteredList } from '../../shared/filtered-list.tsx';
import { type Mail, type MailFilters, mailsQuery } from './queries.ts';
import '../../ui/table/table.css';

export type SystemSearch = MailFilters & { mail?: string | undefined };
type Props = { isConfigured: boolean; search: SystemSearch; onSearch: (change: SearchChange<SystemSearch>) => void };

const KINDS = MAIL_KINDS.map((kind) => ({ value: kind, label: MAIL_KIND[kind] }));
const STATUSES = MAIL_STATUSES.map((status) => ({ value: status, label: MAIL_STATUS[status].word }));

/** The service's own e-mails. Without a mail server, staff forward their links from here. */
export function MailOutbox({ isConfigured, search, onSearch }: Props) {
  const { kind, status, partnerId } = search;
  const filters = { kind, status, partnerId };
  const list = useInfiniteQuery(mailsQuery(filters));
  const close = useCallback(() => onSearch({ mail: undefined }), [onSearch]);
  return (
    <Section title="Mail outbox" note={`kept for ${LIMITS.mailDays} days`}>
      {isConfigured ? null : (
        <div className="mb-3">
          <Note tone="warn">
            <p>
              <b>No mail server is configured, so these e-mails were not sent.</b> Open one to forward its link yourself. Each view is
              recorded in the audit log.
            </p>
          </Note>
        </div>
      )}
      <FilteredList
        search={search}
        onSearch={onSearch}
        filters={['kind', 'status', 'partnerId']}
        chips={
          <>
            <FilterChip name="Kind" value={kind} options={KINDS} onChange={(next) => onSearch({ kind: next, mail: undefined })} />
            <FilterChip name="State" value={status} options={STATUSES} onChange={(next) => onSearch({ status: next, mail: undefined })} />
          </>
        }
        saved="mail"
        moreTools={<ExportButton size="sm" name="mail" read={() => api.exportMail({ query: filters })} />}
        none={
          <EmptyState title="No e-mails yet">Invitations, password resets and alerts appear here as soon as they are created.</EmptyState>
        }
        noMatch={(clear) => (
          <NoMatch what="mail" onClear={clear}>
            No e-mails of the last {LIMITS.mailDays} days match these filters.
          </NoMatch>
        )}
        list={list}
        expected={6}
        label="Mail outbox"
        columns={COLUMNS}
        rowKey={(row) => row.id}
        onOpen={(row) => onSearch({ mail: row.id })}
        openKey={search.mail}
        isBad={(row) => row.status === 'failed'}
      />
      {search.mail ? <MailDrawer key={search.mail} id={search.mail} onClose={close} /> : null}
    </Section>
  );
}

const COLUMNS: Column<Mail>[] = [
  {
    key: 'subject',
    head: 'Mail',
    lead: 'wide',
    cell: (row) => (
      <>
        <span className="block truncate font-medium" title={row.subject}>
          {row.subject}
        </span>
        <span className="table-second-line table-phone-line">
          {row.to}, {MAIL_STATUS[row.status].word.toLowerCase()}
        </span>
      </>
    ),
  },
  {
    key: 'to',
    head: 'To',
    hide: 'phone',
    cell: (row) => (
      <span className="block max-w-50 truncate text-ink-2" title={row.to}>
        {row.to}
      </span>
    ),
  },
  {
    key: 'partner',
    head: 'Agency',
    hide: 'phone',
    cell: (row) => <span className="block max-w-37.5 truncate text-ink-2">{row.partnerName}</span>,
  },
  { key: 'kind', head: 'Kind', hide: 'phone', cell: (row) => <span className="text-ink-2">{MAIL_KIND[row.kind]}</span> },
  {
    key: 'status',
    head: 'State',
    hide: 'phone',
    cell: (row) => {
      const { mark, word } = MAIL_STATUS[row.status];
      return (
        <Status mark={mark} {...(row.status === 'failed' ? { tone: 'bad' as const } : {})}>
          {word}
        </Status>
      );
    },
  },
  { key: 'at', head: 'When', align: 'end', cell: (row) => <Time iso={row.sentAt ?? row.createdAt} className="text-ink-2" /> },
];
