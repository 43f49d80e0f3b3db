import { useMutation } from '@tanstack/react-query';
import { api, formApi, type Reply } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { setSessionUser, useUser } from '../../app/session.ts';
import { useRefusal } from '../../app/current-user.ts';
import { ownPartnerQuery } from '../../queries/agency.ts';
import { announceError } from '../../shared/announce-error.ts';
import { brandTokens } from '../../shared/brand.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { ImagePicker } from '../../shared/media/image-picker.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { AgencyMark } from '../../ui/identity/marks.tsx';
import { Section } from '../../ui/layout/layout.tsx';

type Partner = Reply<'getMyPartner'>;

/** The agency's logo and its text: saved at once, apart from the form below. */
export function LogoSection({ partner }: { partner: Partner }) {
  const user = useUser();
  const refusal = useRefusal('agency.manage');
  const { logoAlt } = user.partner;
  const putInUse = async (logoMediaId: string | null, altText: string | null): Promise<void> => {
    const record = await api.updateMyPartner({ body: { logoMediaId } });
    queryClient.setQueryData(ownPartnerQuery.queryKey, record);
    setSessionUser({ ...user, partner: { ...user.partner, logoUrl: record.logoUrl, logoAlt: altText } });
  };
  const remove = useMutation({
    mutationFn: () => putInUse(null, null),
    onSuccess: () => announce('Logo removed.'),
    onError: (error) => announceError(error),
  });
  return (
    <Section title="Logo">
      <ImagePicker
        purpose="logo"
        current={
          <span
            style={brandTokens(partner.brandColor)}
            className="flex h-14 min-w-14 items-center justify-center rounded-md border border-line bg-surface px-3"
          >
            <AgencyMark name={partner.name} logoUrl={partner.logoUrl} logoAlt={logoAlt} size={32} />
          </span>
        }
        hasImage={partner.logoUrl !== null}
        altText={logoAlt || partner.name}
        refusal={refusal}
        onStored={(media) => putInUse(media.id, media.altText)}
        onDone={() => announce('Logo saved. Clients see it on their next page.')}
        onRemove={() => remove.mutate()}
        isRemoving={remove.isPending}
      />
      {partner.logoMediaId === null ? null : <LogoText mediaId={partner.logoMediaId} refusal={refusal} />}
    </Section>
  );
}

/** What readers hear, and what is shown where images are off. */
function LogoText({ mediaId, refusal }: { mediaId: string; refusal: string | undefined }) {
  const user = useUser();
  const form = useForm({
    saved: { altText: user.partner.logoAlt ?? '' },
    send: ({ altText }) => formApi.changeMedia({ params: { id: mediaId }, body: { altText: altText.trim() } }),
    onSaved: (media) => {
      setSessionUser({ ...user, partner: { ...user.partner, logoAlt: media.altText } });
      announce('Text saved.');
    },
  });
  return (
    <Form form={form} className="mt-4 flex max-w-form flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-60">
        <TextField label="Text in place of the logo" maxLength={300} required disabled={refusal !== undefined} {...form.input('altText')} />
      </div>
      <Button type="submit" disabledReason={refusal} inactive={!form.isChanged} busy={form.isBusy && 'Saving'}>
        Save text
      </Button>
    </Form>
  );
}
