/** A user record as stored, without the password hash. */
export type UserRow = {
  id: string;
  email: string;
  fullName: string;
  role: string;
  partnerId: string;
  partnerRole: string | null;
  clientId: string | null;
  status: string;
  mfaEnabled: boolean;
  avatarUrl: string | null;
  locale: string;
  timezone: string;
  theme: string;
  lastLoginAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};
