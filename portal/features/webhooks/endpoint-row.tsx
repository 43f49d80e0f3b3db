import { Link } from '@tanstack/react-router';
import { useRefusal } from '../../app/current-user.ts';
import { Mark } from '../../ui/feedback/mark.tsx';
import { MoreMenu } from '../../ui/overlays/menu.tsx';
import { Time } from '../../ui/text/time.tsx';
import { EndpointSwitch } from './endpoint-actions.tsx';
import type { Endpoint } from './queries.ts';
import { SuccessBar } from './success-bar.tsx';
import { endpointStatus, eventsText, shortUrl } from './labels.ts';

export type EndpointAction = 'address' | 'events' | 'check' | 'rotate' | 'remove';
type Props = { endpoint: Endpoint; isOpen: boolean; onAct: (act: EndpointAction, endpoint: Endpoint) => void };

/** One endpoint: status, newest deliveries and switch. The URL opens its log. */
export function EndpointRow({ endpoint, isOpen, onAct }: Props) {
  const refusal = useRefusal('webhooks.manage');
  const { mark, word, tone } = endpointStatus(endpoint);
  const events = eventsText(endpoint);
  return (
    <li data-open={isOpen ? '' : undefined}>
      <Mark kind={mark} />
      <div className="min-w-0">
        <Link
          to="/dashboard/settings/webhooks"
          search={{ endpoint: endpoint.id }}
          resetScroll={false}
          data-endpoint
          title={endpoint.url}
          className="block truncate font-medium hover:underline"
        >
          <code>{endpoint.url}</code>
        </Link>
        <p className={tone === 'bad' ? 'tabular-nums text-xs text-bad' : 'tabular-nums text-xs text-ink-3'}>
          {word}
          {endpoint.lastDelivery || !endpoint.isActive ? ', ' : ', added '}
          <Time iso={endpoint.isActive ? (endpoint.lastDelivery?.at ?? endpoint.createdAt) : endpoint.updatedAt} />
          {events ? `, ${events}` : ''}
        </p>
        <SuccessBar recent={endpoint.recent} isOff={!endpoint.isActive} />
      </div>
      <div className="flex items-center gap-2.5">
        <EndpointSwitch endpoint={endpoint} />
        <MoreMenu
          label={`More for ${shortUrl(endpoint.url)}`}
          items={[
            { label: 'Change URL', onPick: () => onAct('address', endpoint), disabledReason: refusal },
            { label: 'Choose events', onPick: () => onAct('events', endpoint), disabledReason: refusal },
            { label: 'Check a signature', onPick: () => onAct('check', endpoint) },
            { label: 'Rotate secret', onPick: () => onAct('rotate', endpoint), disabledReason: refusal },
            'line',
            { label: 'Remove endpoint', danger: true, onPick: () => onAct('remove', endpoint), disabledReason: refusal },
          ]}
        />
      </div>
    </li>
  );
}
