import { NEARLY_USED_PERCENT, wholePercent } from '@partner-portal/core/quota/quota.ts';
import { Link } from '@tanstack/react-router';
import type { Reply } from '../../app/api.ts';
import { formatNumber } from '../../ui/text/format.ts';
import { INSTANCE } from '../../shared/labels.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import type { Column } from '../../ui/table/table.tsx';
import type { PartnerOnboarding } from './queries.ts';
import { FirstStepsCell } from './first-steps-cell.tsx';
import '../../ui/table/table.css';

type Partner = Reply<'listPartners'>['data'][number];

/** Columns that can be hidden. */
export const PARTNER_COLUMNS = [
  { key: 'plan', word: 'Plan' },
  { key: 'account', word: 'Account' },
  { key: 'automation', word: 'Automation' },
  { key: 'steps', word: 'First steps' },
  { key: 'clients', word: 'Clients' },
  { key: 'agents', word: 'Agents' },
  { key: 'runs', word: 'Runs' },
  { key: 'failures', word: 'Failed' },
  { key: 'usage', word: 'Credits used' },
] as const;

/** Columns of all agencies, with plan, automation state and usage; how far each is with its first steps comes later. */
export function partnerColumns(onboarding: readonly PartnerOnboarding[] | undefined): Column<Partner>[] {
  const byPartner = new Map(onboarding?.map((one) => [one.partnerId, one]));
  const steps: Column<Partner> = {
    key: 'steps',
    head: 'First steps',
    hide: 'phone',
    cell: (row) => <FirstStepsCell progress={byPartner.get(row.id)} />,
  };
  return COLUMNS.flatMap((column) => (column.key === 'clients' ? [steps, column] : [column]));
}

const COLUMNS: Column<Partner>[] = [
  {
    key: 'name',
    head: 'Partner',
    lead: true,
    cell: (row) => (
      <>
        <Link to="/admin/partners/$partnerId" params={{ partnerId: row.id }}>
          {row.status === 'deleted' ? 'Deleted agency' : row.name}
        </Link>
        <span className="table-second-line table-phone-line">
          {INSTANCE[row.automationStatus].word}, {row.planName ?? 'no plan'}
        </span>
      </>
    ),
  },
  { key: 'plan', head: 'Plan', hide: 'phone', cell: (row) => <span className="text-ink-2">{row.planName ?? '–'}</span> },
  {
    key: 'account',
    head: 'Account',
    hide: 'phone',
    cell: (row) =>
      row.status === 'active' ? (
        <span className="text-ink-2">Active</span>
      ) : row.status === 'deleted' ? (
        <span className="text-ink-3">Deleted</span>
      ) : (
        <span className="text-warn">Suspended</span>
      ),
  },
  {
    key: 'automation',
    head: 'Automation',
    hide: 'phone',
    cell: (row) => (
      <Status mark={INSTANCE[row.automationStatus].mark} {...(row.automationStatus === 'failed' ? { tone: 'bad' as const } : {})}>
        {INSTANCE[row.automationStatus].word}
      </Status>
    ),
  },
  { key: 'clients', head: 'Clients', align: 'end', hide: 'phone', cell: (row) => formatNumber(row.counts.clients) },
  { key: 'agents', head: 'Agents', align: 'end', hide: 'phone', cell: (row) => formatNumber(row.counts.agents) },
  { key: 'runs', head: 'Runs 7 d', align: 'end', cell: (row) => formatNumber(row.runs7d) },
  {
    key: 'failures',
    head: 'Failed',
    align: 'end',
    hide: 'phone',
    cell: (row) =>
      row.failures7d ? <span className="text-bad">{formatNumber(row.failures7d)}</span> : <span className="text-ink-3">0</span>,
  },
  {
    key: 'usage',
    head: 'Credits used',
    align: 'end',
    hide: 'phone',
    cell: (row) => (
      <span className={row.usagePercent >= NEARLY_USED_PERCENT ? 'text-warn' : 'text-ink-2'}>{wholePercent(row.usagePercent)}%</span>
    ),
  },
];
