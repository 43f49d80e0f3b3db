import type { Billing } from '../../queries/billing.ts';
import { KeyValues, Panel } from '../../ui/layout/layout.tsx';

/** Who is invoiced, and where. The agency changes it. */
export function BillingDetails({ settings }: { settings: Billing['settings'] }) {
  const { billingEmail, taxId, country, address } = settings;
  return (
    <Panel title="Billing details" aside="changed by the agency">
      <KeyValues
        rows={[
          ['E-mail', billingEmail ?? <span className="text-ink-3">its admins</span>],
          ['Tax ID', taxId ?? '–'],
          ['Country', country ?? '–'],
          address ? undefined : ['Address', '–'],
        ]}
      />
      {address ? (
        <>
          <p className="mt-1 text-ink-3">Address</p>
          <p className="whitespace-pre-wrap">{address}</p>
        </>
      ) : null}
    </Panel>
  );
}
