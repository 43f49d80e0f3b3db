import type { ReactNode } from 'react';

/** The phone next to what is said about it; on a narrow screen between that and the buttons. */
export function PhoneLayout({ phone, actions, children }: { phone: ReactNode; actions: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-3 grid gap-x-6 md:grid-cols-[minmax(0,1fr)_248px] md:grid-rows-[1fr_auto]">
      <div className="mb-4 flex min-w-0 flex-col gap-4 md:mb-0">{children}</div>
      <div className="grid md:col-start-2 md:row-span-2 md:row-start-1">{phone}</div>
      <div className="md:col-start-1">{actions}</div>
    </div>
  );
}
