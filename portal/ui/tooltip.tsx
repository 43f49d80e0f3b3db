import { Tooltip as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';

export const TooltipProvider = Radix.Provider;

/** Shows `text` on hover and on focus. Used for icons in the slim rail, full names and the reason of a disabled control. */
export function Tooltip({
  text,
  side = 'top',
  children,
}: {
  text: ReactNode;
  side?: 'top' | 'right' | 'bottom' | 'left';
  children: ReactNode;
}) {
  const [host, setHost] = useState<HTMLElement | null>(null);
  if (!text) return children;
  return (
    <Radix.Root delayDuration={250}>
      <Radix.Trigger asChild ref={(node) => setHost(node?.closest('dialog') ?? null)}>
        {children}
      </Radix.Trigger>
      {/* Over a modal dialog only what stands inside it is seen. */}
      <Radix.Portal container={host}>
        <Radix.Content side={side} sideOffset={6} collisionPadding={8} className="tip">
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
