import { NEARLY_USED_PERCENT } from '@partner-portal/core/quota/quota.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Reply } from '../../app/api.ts';
import type { AgentRequest } from '../../queries/agent-requests.ts';
import { askingPartnerQuery } from '../../queries/work-queue.ts';
import { INSTANCE, PROVIDERS } from '../../shared/labels.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { formatDay, formatMinute, formatNumber, formatWhen, joinWords, plural } from '../../ui/text/format.ts';
import { readerZone } from '../../ui/text/reader.ts';
import { preflightQuery, quotaOfQuery } from './queries.ts';
import '../../ui/layout/section-header.css';

type Line = { key: string; name: string; mark: MarkKind; text: ReactNode; aside?: string | undefined };
type Cell = Reply<'preflight'>['templates'][number]['cells'][number];

/** Whether the agent that is asked for can be installed now: its keys and settings, the agency's workspace and its credits. */
export function RequestPreflight({ request }: { request: AgentRequest }) {
  const preflight = useQuery(preflightQuery(request));
  const partner = useQuery(askingPartnerQuery(request.partnerId));
  const quota = useQuery(quotaOfQuery(request.partnerId));
  const all = {
    data:
      preflight.data && partner.data && quota.data
        ? { found: preflight.data.templates, partner: partner.data, quota: quota.data }
        : undefined,
    error: preflight.error ?? partner.error ?? quota.error,
    refetch: () => Promise.all([preflight.refetch(), partner.refetch(), quota.refetch()]),
  };
  return (
    <Loaded query={all} skeleton={<SkeletonRows rows={3} height={36} label="Checking what is ready" />}>
      {({ found, partner: { automationStatus }, quota }) => {
        const cells = found.flatMap((row) => row.cells.map(keyLine));
        const lines = [...cells, ...settingsLine(request), workspaceLine(automationStatus), creditsLine(quota, found[0]?.creditsPerRun)];
        const warnings = lines.filter(({ mark }) => mark === 'warn' || mark === 'bad').length;
        return (
          <section>
            <div className="section-header">
              <h3>Preflight</h3>
              <span className="flex items-center gap-1.5">
                <Mark kind={warnings > 0 ? 'warn' : 'ok'} />
                <span className={warnings > 0 ? 'text-warn' : 'text-ink-2'}>
                  {warnings > 0 ? plural(warnings, 'warning') : 'can be installed'}
                </span>
              </span>
              <span className="tabular-nums ml-auto text-xs text-ink-3">
                checked {formatMinute(new Date(preflight.dataUpdatedAt).toISOString(), readerZone())}
              </span>
            </div>
            <ul className="border-t border-line">
              {lines.map(({ key, name, mark, text, aside }) => (
                <li key={key} className="flex flex-wrap items-baseline gap-x-3 border-b border-line-soft py-2">
                  <Mark kind={mark} className="self-center" />
                  <b className="w-28 flex-none font-medium">{name}</b>
                  <span className="min-w-48 flex-1 text-ink-2 text-pretty">{text}</span>
                  {aside ? <span className="tabular-nums text-xs text-ink-3 max-md:w-full max-md:pl-6.5">{aside}</span> : null}
                </li>
              ))}
            </ul>
          </section>
        );
      }}
    </Loaded>
  );
}

const KEYS: Record<Cell['state'], { mark: MarkKind; text: string }> = {
  ok: { mark: 'ok', text: 'the client’s own key' },
  inherited: { mark: 'ok', text: 'the agency’s default' },
  missing: { mark: 'warn', text: 'no key is saved' },
  failing: { mark: 'bad', text: 'the key failed its last check' },
};

function keyLine({ provider, state, message, sourceMode, savedAt, checkedAt }: Cell): Line {
  const { mark, text: own } = KEYS[state];
  const text = sourceMode === 'platform' ? 'the platform’s key' : own;
  const saved = savedAt === null ? '' : `, saved ${formatDay(savedAt, undefined, readerZone())}`;
  return {
    key: provider,
    name: PROVIDERS[provider].name,
    mark,
    text: message ?? `${text}${saved}`,
    aside:
      checkedAt === null
        ? state === 'missing'
          ? undefined
          : 'not checked yet'
        : `checked ${formatWhen(checkedAt, undefined, readerZone())}`,
  };
}

/** An agent without a required setting is installed, and its runs fail. */
function settingsLine({ missingSettings }: AgentRequest): Line[] {
  if (missingSettings.length === 0) return [];
  const text = `${joinWords(missingSettings.map(({ label }) => label.toLowerCase()))}: not set yet; runs fail without ${missingSettings.length === 1 ? 'it' : 'them'}`;
  return [{ key: 'settings', name: 'Settings', mark: 'warn', text }];
}

const WORKSPACE: Partial<Record<keyof typeof INSTANCE, string>> = {
  unprovisioned: 'not set up yet; the installation sets it up',
  failed: 'the last setup failed; the installation sets it up again',
  provisioning: 'a setup is running; the agent is installed after it',
  deprovisioning: 'it is being removed',
};

function workspaceLine(status: keyof typeof INSTANCE): Line {
  const mark = status === 'ready' ? 'ok' : status === 'provisioning' ? 'run' : 'warn';
  return { key: 'workspace', name: 'Workspace', mark, text: WORKSPACE[status] ?? INSTANCE[status].word.toLowerCase() };
}

/** Agencies with few credits left are warned before an agent uses more of them. */
function creditsLine({ remaining, percent }: Reply<'getQuota'>, perRun: number | undefined): Line {
  const mark = remaining === 0 ? 'bad' : percent >= NEARLY_USED_PERCENT ? 'warn' : 'ok';
  return {
    key: 'credits',
    name: 'Credits',
    mark,
    text: `${formatNumber(remaining)} left`,
    aside: perRun === undefined ? undefined : `${plural(perRun, 'credit')} a run`,
  };
}
