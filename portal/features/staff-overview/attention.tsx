import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../../ui/controls/button.tsx';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { plural } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/time.tsx';
import { ENGINE_HEALTH } from '../../shared/labels.ts';
import type { Facts } from './facts.ts';

type Item = { key: string; mark: MarkKind; title: ReactNode; detail?: ReactNode; action: ReactNode };

const BUTTON = buttonClass('default', 'sm');

/** What staff act on, most urgent first, each with the page for it. Nothing is claimed before all of it is known. */
export function AttentionSection({ facts }: { facts: Facts }) {
  const items = itemsOf(facts);
  const isKnown = facts.queue && facts.overdue && facts.counts && facts.engine;
  return (
    <Section title="Needs attention" note={items.length || undefined}>
      {items.length > 0 ? (
        <ul className="border-t border-line">
          {items.map(({ key, mark, title, detail, action }) => (
            <li key={key} className="flex items-center gap-3 border-b border-line-soft py-2.75">
              <Mark kind={mark} />
              <div className="min-w-0 flex-1">
                <p>
                  <b className="font-figure">{title}</b>
                </p>
                {detail ? <p className="text-ink-2">{detail}</p> : null}
              </div>
              {action}
            </li>
          ))}
        </ul>
      ) : isKnown ? (
        <p className="flex items-center gap-2 border-t border-line py-3 text-ink-2">
          <Mark kind="ok" />
          The engine is healthy, the work queue is empty, no invoice is overdue, and no webhook endpoint fails.
        </p>
      ) : (
        <div className="h-11 border-t border-line" />
      )}
    </Section>
  );
}

function itemsOf({ engine, overdue, counts, queue }: Facts): Item[] {
  const items: (Item | false | undefined)[] = [
    engine &&
      engine.health !== 'ok' && {
        key: 'engine',
        mark: ENGINE_HEALTH[engine.health].mark,
        title: engine.message ?? 'The engine is not healthy.',
        action: (
          <Link to="/admin/engine" className={BUTTON}>
            Open the engine
          </Link>
        ),
      },
    overdue &&
      overdue.count > 0 && {
        key: 'overdue',
        mark: 'bad',
        title: overdue.isMore
          ? `More than ${plural(overdue.count, 'invoice')} are overdue`
          : `${plural(overdue.count, 'invoice')} ${overdue.count === 1 ? 'is' : 'are'} overdue`,
        detail: `Of ${plural(overdue.agencies, 'agency', 'agencies')}.`,
        action: (
          <Link to="/admin/invoices" search={{ show: 'overdue' }} className={BUTTON}>
            Open invoices
          </Link>
        ),
      },
    counts &&
      counts.failingEndpoints > 0 && {
        key: 'endpoints',
        mark: 'bad',
        title: `${plural(counts.failingEndpoints, 'webhook endpoint')} ${counts.failingEndpoints === 1 ? 'fails' : 'fail'}`,
        detail: 'Their newest deliveries failed.',
        action: (
          <Link to="/admin/deliveries" className={BUTTON}>
            Open deliveries
          </Link>
        ),
      },
    queue &&
      queue[0] && {
        key: 'queue',
        mark: 'wait',
        title: `${plural(queue.length, 'item waits', 'items wait')} in the work queue`,
        detail: (
          <>
            The oldest since <Time iso={queue[0].since} />.
          </>
        ),
        action: (
          <Link to="/admin" className={BUTTON}>
            Open the queue
          </Link>
        ),
      },
  ];
  return items.filter((item) => typeof item === 'object');
}
