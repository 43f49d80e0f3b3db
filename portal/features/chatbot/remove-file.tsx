import { useMutation } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import type { KnowledgeDocument } from '../../queries/chatbot.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { announce } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { plural } from '../../ui/text/format.ts';

type Props = { clientId: string; file: KnowledgeDocument | undefined; onClose: () => void };

/** Asks before a file and its passages are removed. */
export function RemoveFile({ clientId, file, onClose }: Props) {
  const remove = useMutation({
    mutationFn: ({ id }: KnowledgeDocument) => api.deleteKnowledge({ params: { id } }),
    onSuccess: async (_, { title }) => {
      await refreshAfter('knowledgeChanged', clientId);
      onClose();
      announce(`${title} removed. The chatbot no longer answers from it.`);
    },
    onError: (error) => announceError(error),
  });
  return (
    <ConfirmDialog
      open={file !== undefined}
      onClose={onClose}
      title={`Remove ${file?.title ?? 'the file'}?`}
      action="Remove"
      busy={remove.isPending && 'Removing'}
      onConfirm={() => {
        if (file) remove.mutate(file);
      }}
    >
      The chatbot stops answering from its <b>{plural(file?.passages ?? 0, 'passage')}</b> at once. To bring them back, upload the file
      again.
    </ConfirmDialog>
  );
}
