import { DELIVERY_STATUSES, type DeliveryStatus } from '@partner-portal/contract/vocabulary.ts';
import { choiceParam, idParam, onlySet } from '../../app/search-params.ts';

/** Which endpoint is looked at, which of its deliveries is open, what is shown of them, and whether its secret is being rotated. */
export type WebhookSearch = {
  endpoint?: string | undefined;
  show?: DeliveryStatus | undefined;
  delivery?: string | undefined;
  rotate?: string | undefined;
};

export function parseWebhookSearch(search: Record<string, unknown>): WebhookSearch {
  const endpoint = idParam(search.endpoint);
  return onlySet({
    endpoint,
    show: endpoint ? choiceParam(DELIVERY_STATUSES, search.show) : undefined,
    delivery: endpoint ? idParam(search.delivery) : undefined,
    rotate: idParam(search.rotate),
  });
}
