import { type MouseEvent, useRef } from 'react';

/**
 * Closes a modal dialog by a click on its backdrop. A click on the edge of the dialog has the same target, and so has one that selects text and ends outside:
 * what is typed would be lost. So the pointer goes down and up outside the rectangle of the dialog.
 */
export function useBackdrop(onClose: () => void) {
  const isBegun = useRef(false);
  return {
    onPointerDown: (event: MouseEvent<HTMLDialogElement>): void => {
      isBegun.current = isOnBackdrop(event);
    },
    onClick: (event: MouseEvent<HTMLDialogElement>): void => {
      const isWhole = isBegun.current && isOnBackdrop(event);
      isBegun.current = false;
      // The second click of a double click was meant for what stood there before the first.
      if (isWhole && event.detail < 2) onClose();
    },
  };
}

function isOnBackdrop({ target, currentTarget, clientX, clientY }: MouseEvent<HTMLDialogElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return target === currentTarget && (clientX < left || clientX > right || clientY < top || clientY > bottom);
}
