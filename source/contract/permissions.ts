/** What an API key may be allowed to do. Every endpoint names the one it needs. */
export const permissions = [
	'instance_read',
	'instance_write',
	'user_read',
	'user_write',
	'billing_read',
	'billing_write',
	'machine_read',
	'machine_write',
	'misc',
	'team_read',
	'team_write',
] as const;

export type Permission = (typeof permissions)[number];
