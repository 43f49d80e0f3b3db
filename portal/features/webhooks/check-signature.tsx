import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Loaded } from '../../shared/loaded.tsx';
import { SignatureChecker } from '../../shared/signature-checker.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { sentOf, shortUrl } from './labels.ts';
import { deliveriesQuery, type Endpoint } from './queries.ts';

type Props = { endpoints: readonly Endpoint[]; first: Endpoint; onClose: () => void };

/** Checks a signature of one of the endpoints, with the newest delivery filled in. */
export function CheckSignature({ endpoints, first, onClose }: Props) {
  const [id, setId] = useState(first.id);
  return (
    <Dialog open wide onClose={onClose} title="Check a signature">
      <p className="mb-4 text-ink-2">
        Enter your receiver’s secret, and replace body and header with what it received. The check runs in your browser; nothing is sent or
        stored.
      </p>
      {endpoints.length > 1 ? (
        <Field label="Endpoint" className="mb-4">
          {(ids) => (
            <Select
              {...ids}
              label="Endpoint"
              value={id}
              options={endpoints.map((one) => ({ value: one.id, label: shortUrl(one.url) }))}
              onChange={setId}
            />
          )}
        </Field>
      ) : null}
      <OfEndpoint key={id} id={id} />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}

function OfEndpoint({ id }: { id: string }) {
  const deliveries = useQuery(deliveriesQuery(id));
  return (
    <Loaded query={deliveries} skeleton={<SkeletonRows rows={5} label="Loading deliveries" />}>
      {(list) => <Checker sent={sentOf(list)} />}
    </Loaded>
  );
}

/** The fields keep what they began with while new deliveries arrive. */
function Checker({ sent }: { sent: { body: string; header: string }[] }) {
  const [filled] = useState(sent[0]);
  return (
    <>
      <p className="mb-3 text-xs text-ink-3">
        {filled ? 'Filled with the newest delivery of this endpoint.' : 'Nothing was sent to this endpoint yet.'}
      </p>
      <SignatureChecker sent={sent} {...(filled ? { filled } : {})} />
    </>
  );
}
