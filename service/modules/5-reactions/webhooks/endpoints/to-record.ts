import type { EndpointRow } from './store-endpoints.ts';

/** Maps an endpoint to the record of the contract. `EndpointRow` holds no secret. */
export function toEndpoint<Row extends EndpointRow>(row: Row) {
  const { lastDeliveryStatus: status, lastDeliveryAt: at, ...rest } = row;
  return { ...rest, lastDelivery: status === null || at === null ? null : { status, at } };
}
