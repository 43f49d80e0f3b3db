import { alertFix, alertTitle } from '@partner-portal/core/alert/alert.ts';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../app/api.ts';
import { splitHref } from '../../app/split-href.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Time } from '../../ui/text/time.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { type Alert, SEVERITY } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

const MUTED = { mark: 'pause', word: 'Muted' } as const;
const RESOLVED = { mark: 'ok', word: 'Resolved' } as const;

/** One alert with its subject, owner and actions. Staff also see the partner. */
export function AlertRow({ alert, audience }: { alert: Alert; audience: 'agency' | 'staff' }) {
  const refusal = useRefusal('alerts.manage');
  const move = useMutation({
    mutationFn: (to: 'acknowledge' | 'resolve') =>
      to === 'acknowledge' ? api.acknowledgeAlert({ params: { id: alert.id } }) : api.resolveAlert({ params: { id: alert.id } }),
    onSuccess: (after) => {
      void refreshAfter('alertChanged');
      announce(
        after.status === 'resolved'
          ? 'Alert muted. It resolves when the problem is gone, and reopens if it comes back.'
          : 'Alert acknowledged. Others see that you are on it.',
      );
    },
    onError: (error) => announceError(error, () => void refreshAfter('alertChanged')),
  });
  const isOver = alert.status === 'resolved';
  const { mark, word } = alert.muted ? MUTED : isOver ? RESOLVED : SEVERITY[alert.severity];
  const title = alertTitle(alert.rule, alert.subject.label);
  const who = audience === 'staff' ? [alert.partnerName, alert.clientName] : [alert.clientName];
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-line-soft py-3">
      <Mark kind={mark} label={word} className="mt-0.75 flex-none" />
      <div className="min-w-55 flex-1">
        <p>
          {audience === 'agency' ? (
            <Link {...splitHref(alert.href)} className="font-figure hover:underline max-md:py-1">
              {title}
            </Link>
          ) : (
            <Link
              to="/admin/partners/$partnerId"
              params={{ partnerId: alert.partnerId }}
              className="font-figure hover:underline max-md:py-1"
            >
              {title}
            </Link>
          )}
          {who.filter(Boolean).map((name) => (
            <span key={name} className="text-ink-3">
              {' '}
              · {name}
            </span>
          ))}
        </p>
        <p className="text-ink-2 text-pretty">{alert.message}</p>
        <p className="tabular-nums text-xs text-ink-3">
          Since <Time iso={alert.openedAt} style="long" />
          {alert.acknowledgedByName ? `, acknowledged by ${alert.acknowledgedByName}` : ''}
          {isOver ? (
            <>
              , {alert.muted ? 'muted' : 'resolved'} <Time iso={alert.resolvedAt} style="long" />
              {alert.resolvedByName ? `${alert.muted ? ' by' : ', was muted by'} ${alert.resolvedByName}` : ''}
            </>
          ) : null}
        </p>
        {alert.note ? <p className="mt-1 border-l-2 border-line pl-2 text-ink-2 whitespace-pre-wrap">{alert.note}</p> : null}
      </div>
      {isOver && !alert.muted ? null : (
        <span className="flex flex-wrap gap-2">
          {audience === 'agency' ? (
            <Link {...splitHref(alert.href)} className={buttonClass('default', 'sm')}>
              {alertFix(alert.rule)}
            </Link>
          ) : null}
          {alert.status === 'open' ? (
            <Button
              size="sm"
              kind="quiet"
              disabledReason={refusal}
              busy={move.isPending && 'Saving'}
              onClick={() => move.mutate('acknowledge')}
            >
              Acknowledge
            </Button>
          ) : null}
          {isOver ? null : (
            <Button
              size="sm"
              kind="quiet"
              disabledReason={refusal}
              busy={move.isPending && 'Saving'}
              onClick={() => move.mutate('resolve')}
            >
              Mute
            </Button>
          )}
        </span>
      )}
    </li>
  );
}
