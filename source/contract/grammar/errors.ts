import * as z from 'zod/mini';

/**
 * Every reason for which the service refuses a request: the status of the reply, the word in
 * `error`, and the number inside `msg` if the create-instance endpoint shows one.
 */
export const refusals = {
	badRequest: {status: 400, error: 'invalid_request'},
	badArguments: {status: 400, error: 'invalid_args', number: 3467},
	madeBefore: {status: 400, error: 'made_before', number: 3468},
	badPrice: {status: 400, error: 'invalid_price', number: 3470},
	noSshKeyForVm: {status: 400, error: 'no_ssh_key_for_vm', number: 3480},
	noCredit: {status: 400, error: 'insufficient_credit', number: 3490},
	notYours: {status: 403, error: 'invalid_args', number: 3586},
	noSuchAsk: {status: 404, error: 'invalid_args', number: 3603},
	askGone: {status: 410, error: 'no_such_ask', number: 3907},
	invalidEmail: {status: 400, error: 'invalid_email'},
	missingAuth: {status: 400, error: 'missing_auth_value'},
	invalidRecipient: {status: 400, error: 'invalid_recipient'},
	emptyInput: {status: 400, error: 'empty_input'},
	inputTooLong: {status: 400, error: 'input_too_long'},
	invalidCharacters: {status: 400, error: 'invalid_characters'},
	unknownField: {status: 400, error: 'nonexistent_key'},
	roleInUse: {status: 400, error: 'role_in_use'},
	ownerOnly: {status: 403, error: 'not_allowed'},
	noSuchTeam: {status: 404, error: 'not_found'},
	noSuchRole: {status: 404, error: 'not_found'},
	noSuchInvitation: {status: 404, error: 'not_found'},
	teamInUse: {status: 400, error: 'team_in_use'},
	accountInUse: {status: 400, error: 'account_in_use'},
	tooLittle: {status: 400, error: 'insufficient_balance'},
	badId: {status: 400, error: 'invalid_id'},
	badToken: {status: 400, error: 'invalid_token'},
	badPermissions: {status: 400, error: 'invalid_permissions'},
	noSshKey: {status: 400, error: 'no_ssh_key'},
	labelTooLong: {status: 400, error: 'label_too_long'},
	missingBilling: {status: 400, error: 'missing_billing'},
	missingInput: {status: 400, error: 'missing_input'},
	tooManySecrets: {status: 400, error: 'max_secrets'},
	secretExists: {status: 400, error: 'existing_key'},
	noSuchSecret: {status: 400, error: 'nonexistent_key'},
	tooManyWebhooks: {status: 400, error: 'too_many_webhooks'},
	webhookFailed: {status: 400, error: 'webhook_failed'},
	loginRequired: {status: 401, error: 'auth_error'},
	billsWithoutKey: {status: 403, error: 'auth_error'},
	billsOfNobody: {status: 404, error: 'auth_error'},
	badSignature: {status: 403, error: 'not_authorized'},
	unknownKey: {status: 401, error: 'auth_error'},
	userExists: {status: 409, error: 'user_exists'},
	notSupported: {status: 400, error: 'not_supported'},
	copyRunning: {status: 409, error: 'copy_running'},
	snapshotRunning: {status: 409, error: 'snapshot_running'},
	beyondCap: {status: 403, error: 'beyond_cap'},
	lacksPermission: {status: 403, error: 'not_authorized'},
	noSuchKey: {status: 404, error: 'not_found'},
	noSuchWebhook: {status: 404, error: 'not_found'},
	noSuchRelay: {status: 404, error: 'not_found'},
	noSuchUser: {status: 404, error: 'no_such_user'},
	noSuchSshKey: {status: 404, error: 'no_such_ssh_key'},
	noSuchVolume: {status: 404, error: 'no_such_volume'},
	noSuchTemplate: {status: 404, error: 'invalid_args', number: 3601},
	noSuchMachine: {status: 404, error: 'not_found'},
	machineInUse: {status: 400, error: 'machine_in_use'},
	noPriceIncrease: {status: 404, error: 'no_pending_price_increase'},
	noSuchJob: {status: 404, error: 'not_found'},
	jobExists: {status: 422, error: 'job_exists'},
	noSuchTask: {status: 404, error: 'no_such_task'},
	noSuchInstance: {status: 404, error: 'no_such_instance'},
	noSuchPath: {status: 404, error: 'not_found'},
	wrongMethod: {status: 405, error: 'invalid_request'},
	tooSlow: {status: 408, error: 'invalid_request'},
	bodyTooLarge: {status: 413, error: 'invalid_request'},
	wrongContentType: {status: 415, error: 'invalid_request'},
	headersTooLarge: {status: 431, error: 'invalid_request'},
	tooManyRequests: {status: 429, error: undefined},
	internal: {status: 500, error: 'internal_error'},
	unavailable: {status: 503, error: 'unavailable'},
} as const satisfies Record<string, RefusalWords>;

type RefusalWords = {
	readonly status: number;
	/** Word in `error`; undefined for a reply with a form of its own. */
	readonly error: string | undefined;
	/** Number in refusals to create an instance. */
	readonly number?: number;
};

export type RefusalReason = keyof typeof refusals;

/** Shape of every refusal on the wire, except the one below. */
export const refusalReply = z.looseObject({
	success: z.literal(false),
	error: z.string(),
	msg: z.string(),
});

/** Too many requests: no `error`; `detail` names the exceeded threshold. */
export const tooManyReply = z.looseObject({detail: z.string(), msg: z.string()});

export const commonRefusals = {
	400: refusalReply,
	401: refusalReply,
	403: refusalReply,
	413: refusalReply,
	415: refusalReply,
	429: tooManyReply,
} as const;

export const recordRefusals = {...commonRefusals, 404: refusalReply} as const;
