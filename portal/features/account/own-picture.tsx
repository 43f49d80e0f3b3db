import { useMessages } from '../../app/messages.ts';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { setSessionUser, useUser } from '../../app/session.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { ImagePicker } from '../../shared/media/image-picker.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Avatar } from '../../ui/identity/marks.tsx';

/** The user's own picture, shown where people are listed. */
export function OwnPicture({ size }: { size: 'md' | 'lg' }) {
  const { t } = useMessages();
  const user = useUser();
  const putInUse = async (avatarMediaId: string | null): Promise<void> => {
    setSessionUser({ ...user, ...(await api.updateMe({ body: { avatarMediaId } })) });
    void refreshAfter('accountChanged');
  };
  const remove = useMutation({
    mutationFn: () => putInUse(null),
    onSuccess: () => announce(t('account.pictureRemoved')),
    onError: (error) => announceError(error),
  });
  return (
    <ImagePicker
      purpose="avatar"
      current={<Avatar name={user.fullName || user.email} url={user.avatarUrl} className="!size-16 !text-xl" />}
      hasImage={user.avatarUrl !== null}
      altText=""
      refusal={undefined}
      size={size}
      onStored={(media) => putInUse(media.id)}
      onDone={() => announce(t('account.pictureSaved'))}
      onRemove={() => remove.mutate()}
      isRemoving={remove.isPending}
    />
  );
}
