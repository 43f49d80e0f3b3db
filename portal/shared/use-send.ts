import { ApiError } from '@partner-portal/contract/client.ts';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { v4 as newId } from 'uuid';
import { announceError } from './announce-error.ts';

type Options<Input, Result> = {
  /** Calls the service with the input and its Idempotency-Key. */
  call: (input: Input, key: string) => Promise<Result>;
  onSent: (result: Result) => void;
  /** Returns whether the caller shows a failure itself; otherwise a toast does. */
  onFailed?: (error: unknown) => boolean;
};

/**
 * For calls whose consequences reach people: one at a time, and the same input has the same key until its answer is known, so that a
 * repeated click or a retry after a lost connection writes to no one twice.
 */
export function useSend<Input, Result>({ call, onSent, onFailed }: Options<Input, Result>) {
  const isRunning = useRef(false);
  const last = useRef<{ input: string; key: string }>(undefined);
  const mutation = useMutation({
    mutationFn: (input: Input) => {
      const text = JSON.stringify(input) ?? '';
      if (last.current?.input !== text) last.current = { input: text, key: newId() };
      return call(input, last.current.key);
    },
    onSuccess: (result) => {
      last.current = undefined;
      onSent(result);
    },
    onError: (error) => {
      if (isRefusal(error)) last.current = undefined;
      if (!onFailed?.(error)) announceError(error);
    },
    onSettled: () => {
      isRunning.current = false;
    },
  });
  return {
    isSending: mutation.isPending,
    send: (input: Input): void => {
      if (isRunning.current) return;
      isRunning.current = true;
      mutation.mutate(input);
    },
  };
}

/** Whether the service refused a call; after any other failure it may have acted. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}
