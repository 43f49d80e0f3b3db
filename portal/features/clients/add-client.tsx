import { lazyRouteComponent } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useAsked } from '../../app/asked.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Button, type ButtonKind } from '../../ui/controls/button.tsx';

/** Loaded when someone approaches the button, so that no page waits for it. */
const CreateClientDialog = lazyRouteComponent(() => import('./create-client.tsx'), 'CreateClientDialog');
const load = (): void => void CreateClientDialog.preload?.();

/** Opens the form; disabled with a reason for users without permission. */
export function AddClientButton({ kind = 'primary' }: { kind?: ButtonKind }) {
  const [isOpen, setOpen] = useState(false);
  const refusal = useRefusal('clients.create');
  useAsked('client', setOpen);
  return (
    <>
      <Button
        kind={kind}
        icon={<Plus aria-hidden />}
        disabledReason={refusal}
        onPointerEnter={load}
        onFocus={load}
        onClick={() => setOpen(true)}
      >
        Add client
      </Button>
      {isOpen ? (
        <Suspense>
          <CreateClientDialog onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
