import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../ui/controls/button.tsx';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import type { Summary } from '../../queries/agency.ts';
import { splitHref } from '../../app/split-href.ts';

type Item = Summary['attention'][number];

const MARKS: Record<Item['kind'], MarkKind> = {
  agent_failing: 'bad',
  missing_key: 'warn',
  agent_silent: 'silent',
  setup_failed: 'bad',
  key_failing: 'bad',
  request_waiting: 'wait',
  account_request: 'wait',
  quota: 'warn',
  webhook_failing: 'bad',
  sso_certificate: 'warn',
  credential_unverified: 'warn',
};

/** Items that need attention, each with its subject and one action. */
export function AttentionList({ items }: { items: readonly Item[] }) {
  if (items.length === 0)
    return (
      <p className="flex items-center gap-2 border-t border-line py-3 text-ink-2">
        <Mark kind="ok" />
        Nothing needs your attention.
      </p>
    );
  return (
    <ul className="border-t border-line">
      {items.map((item) => (
        <li key={item.kind + item.href + item.title} className="flex items-center gap-3 border-b border-line-soft py-[11px]">
          <Mark kind={MARKS[item.kind]} className="mt-[3px] self-start" />
          <div className="min-w-0 flex-1">
            <p>
              <b className="font-figure">{item.title}</b>
              {item.subject ? <span className="text-ink-3"> · {item.subject}</span> : null}
            </p>
            <p className="text-ink-2">
              {/* Some services say no more than the title does. */}
              {item.detail === `${item.title}.` ? null : item.detail}
              {item.alert?.status === 'acknowledged' ? <span className="text-ink-3"> Acknowledged.</span> : null}
            </p>
          </div>
          <Link {...splitHref(item.href)} className={buttonClass('default', 'sm')}>
            {item.action}
          </Link>
        </li>
      ))}
    </ul>
  );
}
