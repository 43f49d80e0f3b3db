// Says which booking Cal.com may have: its ids are UUIDs in base 58, 22 characters long. A booking of another calendar is not looked up there; what it
// is like is in the event.
const isOfCalcom = (uid) => /^(?=.*[a-z])(?=.*[A-Z])[1-9A-HJ-NP-Za-km-z]{22}$/.test(uid);

export const code = async (inputs) => {
  const uid = String(inputs.input?.bookingUid ?? '');
  return go(isOfCalcom(uid) ? { calcomUid: uid } : {});
};
