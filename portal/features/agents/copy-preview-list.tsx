import { useState } from 'react';
import { explain } from '../../app/errors.ts';
import type { Agent, CopyTarget } from '../../queries/agents.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Status } from '../../ui/feedback/badge.tsx';
import type { MarkKind } from '../../ui/feedback/mark.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { formatNumber, joinWords, plural } from '../../ui/text/format.ts';
import type { Previews } from './use-copy-previews.ts';
import './copy-agent.css';

const SHOWN = 50;

/** What each client gets of each agent, those that lack something first. */
export function CopyPreviewList({ agents, previews }: { agents: readonly Agent[]; previews: Previews }) {
  if (previews.checked === 0 && previews.errors.size === 0) return null;
  return (
    <section aria-label="What each client gets" className="copy-agent-targets" tabIndex={0}>
      {agents.map((agent) => (
        <OfAgent key={agent.id} agent={agent} previews={previews} isOnly={agents.length === 1} />
      ))}
    </section>
  );
}

function OfAgent({ agent, previews, isOnly }: { agent: Agent; previews: Previews; isOnly: boolean }) {
  const [isWhole, setWhole] = useState(false);
  const targets = previews.targetsOf(agent.id).toSorted((a, b) => orderOf(a) - orderOf(b));
  const error = previews.errors.get(agent.id);
  if (error !== undefined)
    return (
      <div className="p-3">
        <Note
          tone="bad"
          alert
          action={
            <Button size="sm" onClick={previews.retry}>
              Try again
            </Button>
          }
        >
          <b>{agent.name} cannot be checked.</b> {explain(error).title}
        </Note>
      </div>
    );
  if (targets.length === 0 && isOnly) return null;
  return (
    <>
      {isOnly ? null : (
        <h3 className="copy-agent-head">
          {agent.name}
          <span>{targets.length === 0 ? 'Nothing to copy' : summaryOf(targets)}</span>
        </h3>
      )}
      <ul>
        {(isWhole ? targets : targets.slice(0, SHOWN)).map((target) => (
          <Target key={target.clientId} target={target} />
        ))}
      </ul>
      {isWhole || targets.length <= SHOWN ? null : (
        <p className="px-3 py-2">
          <Button size="sm" onClick={() => setWhole(true)}>
            Show all {formatNumber(targets.length)} clients
          </Button>
        </p>
      )}
    </>
  );
}

function summaryOf(targets: readonly CopyTarget[]): string {
  const refused = targets.filter(isRefused).length;
  const ready = targets.filter((target) => target.state === 'ready' && !isRefused(target)).length;
  const missing = targets.filter((target) => target.state === 'missing' && !isRefused(target)).length;
  const others = targets.length - ready - missing - refused;
  const parts = [
    ...(ready > 0 ? [`${formatNumber(ready)} ready`] : []),
    ...(missing > 0 ? [`${plural(missing, 'needs', 'need')} a key`] : []),
    ...(refused > 0 ? [`${plural(refused, 'has', 'have')} a refused key`] : []),
    ...(others > 0 ? [`${formatNumber(others)} left out`] : []),
  ];
  return joinWords(parts);
}

const STATES: Record<CopyTarget['state'], { order: number; mark: MarkKind; tone?: 'warn'; word: string }> = {
  missing: { order: 0, mark: 'warn', tone: 'warn', word: 'Needs a key' },
  ready: { order: 1, mark: 'ok', word: 'Ready to install' },
  requested: { order: 2, mark: 'wait', word: 'Already requested' },
  has_agent: { order: 3, mark: 'skip', word: 'Already has this agent' },
  not_allowed: { order: 4, mark: 'pause', word: 'Suspended or archived' },
};

/** A client whose copy would be installed and fail. */
function isRefused({ needsInstallation, refusedConnections }: CopyTarget): boolean {
  return needsInstallation && refusedConnections.length > 0;
}

/** Those that lack something first. */
function orderOf(target: CopyTarget): number {
  return isRefused(target) ? -1 : STATES[target.state].order;
}

function stateOf(target: CopyTarget): { mark: MarkKind; tone?: 'warn' | 'bad'; word: string } {
  const names = (providers: CopyTarget['missingConnections']): string => joinWords(providers.map((provider) => PROVIDERS[provider].name));
  if (isRefused(target)) return { mark: 'bad', tone: 'bad', word: `${names(target.refusedConnections)} key refused` };
  if (target.state === 'missing') return { ...STATES.missing, word: `Needs ${names(target.missingConnections)}` };
  return STATES[target.state];
}

function Target({ target }: { target: CopyTarget }) {
  const { mark, tone, word } = stateOf(target);
  const settings = target.missingSettings.map(({ label }) => label.toLowerCase());
  return (
    <li>
      <div className="flex flex-wrap items-center gap-x-3">
        <b className="min-w-0 flex-1 truncate font-medium">{target.clientName}</b>
        <Status mark={mark} {...(tone ? { tone } : {})}>
          {word}
        </Status>
      </div>
      {target.needsInstallation ? (
        <>
          {settings.length > 0 ? <p className="text-warn">Fill in afterwards: {joinWords(settings)}.</p> : null}
          {target.differences.length > 0 ? (
            <details>
              <summary>
                {formatNumber(target.differences.length)} {target.differences.length === 1 ? 'setting differs' : 'settings differ'}
              </summary>
              <dl>
                {target.differences.map((one) => (
                  <div key={one.key}>
                    <dt>{one.label}</dt>
                    <dd>{describeDifference(one)}</dd>
                  </div>
                ))}
              </dl>
            </details>
          ) : null}
        </>
      ) : null}
    </li>
  );
}

const WHY: Record<CopyTarget['differences'][number]['reason'], string> = {
  given: '',
  of_one_client: '',
  names_the_source: ', because the text names the other business',
  local_time: '',
  language: ' in the client’s language',
};

function describeDifference({ from, reason, value }: CopyTarget['differences'][number]): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
  const why = WHY[reason];
  switch (from) {
    case 'given':
      return text;
    case 'profile':
      return `${text}, from the client’s business profile`;
    case 'default':
      return `The template’s text${why}`;
    case 'source':
      return `${text}, in the client’s own time zone`;
    default:
      return `Empty${why}`;
  }
}
