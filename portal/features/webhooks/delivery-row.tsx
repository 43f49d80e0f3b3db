import clsx from 'clsx';
import { ChevronDown } from 'lucide-react';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Time } from '../../ui/text/time.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import type { Delivery, Endpoint } from './queries.ts';
import { deliveryMark, attemptsText } from './labels.ts';
import './delivery-row.css';

type Props = {
  delivery: Delivery;
  endpoint: Endpoint;
  isOpen: boolean;
  hasArrived: boolean;
  onOpen: (id: string | undefined) => void;
};

/** One delivery; expands to its details. */
export function DeliveryRow({ delivery, endpoint, isOpen, hasArrived, onOpen }: Props) {
  const { mark, word } = deliveryMark(delivery);
  const panel = `delivery-${delivery.id}`;
  return (
    <li data-open={isOpen ? '' : undefined} className={clsx(hasArrived && 'animate-arrive')}>
      <h3 className="font-normal">
        <button
          type="button"
          className="delivery-row-header"
          aria-expanded={isOpen}
          aria-controls={isOpen ? panel : undefined}
          data-delivery
          onClick={() => onOpen(isOpen ? undefined : delivery.id)}
        >
          <Mark kind={mark} label={word} />
          <span className="flex min-w-0 items-center gap-2">
            <code className="truncate">{delivery.eventType}</code>
            {delivery.recoveryId ? <Badge>Recovered</Badge> : delivery.redeliveryOf ? <Badge>Sent again</Badge> : null}
          </span>
          <Time iso={delivery.createdAt} className="tabular-nums text-ink-3" />
          <span className="tabular-nums text-right text-ink-2">{attemptsText(delivery)}</span>
          <ChevronDown className="icon-small" aria-hidden />
        </button>
      </h3>
      {isOpen ? (
        <div id={panel} className="px-5 pt-1 pb-5 md:pl-11">
          <DeliveryDetails delivery={delivery} endpoint={endpoint} onOpen={onOpen} />
        </div>
      ) : null}
    </li>
  );
}
