/** Faults that are put into the program on purpose: a rule that finds none of them is worth nothing. */
type Fault = {readonly file: string; readonly from: string; readonly to: string};

export type Plant = {
	/** A seed from which on it shows soon, and the hours of a world. */
	readonly seed: number;
	readonly hours: number;
	readonly faults: readonly Fault[];
	/** True where it shows on PostgreSQL alone. */
	readonly isOnPostgres?: boolean;
};

const plant = (seed: number, hours: number, ...faults: readonly Fault[]) => ({seed, hours, faults});
const put = (file: string, from: string, to: string) => ({file, from, to});

/** A market that makes an instance for each request, however often one with a mark arrives. */
const rent = 'market/renting/rent.ts';
const forgetMarks = [
	put(
		rent,
		'mark === undefined ? undefined : await findInstanceByR',
		'true ? undefined : await findInstanceByR',
	),
	put(rent, 'mark: requestMarkOf(order.env) ?? null', 'mark: null'),
];

const claims = 'market/lifecycle/claims.ts';
const isRunning = "current === 'running' && ";
const pending = 'openPendingRents(file: string | undefined): PendingRents {';

export const plants: Readonly<Record<string, Plant>> = {
	'claims ignore the mask': plant(
		2,
		0.05,
		put(claims, `${isRunning}overlaps`, `${isRunning}gpu_mask === -1 && overlaps`),
	),
	'marks are forgotten': plant(300, 0.1, ...forgetMarks),
	/** Nor does the client know that it may not repeat a change. */
	'changes are repeated': plant(
		3,
		0.05,
		...forgetMarks,
		put('client/exchange/retry.ts', 'isReading(call.endpoint);', 'true;'),
	),
	'rents are not noted': plant(
		4,
		0.06,
		put('client/rentals/pending-rents.ts', pending, `${pending} file = undefined;`),
	),
	'rents are told before they are': plant(
		2,
		0.2,
		put('client/rentals/renting.ts', 'isTold: false', 'isTold: true'),
	),
	'an order typed again has another mark': plant(
		305,
		0.25,
		put('client/rentals/renting.ts', 'options.again?.token ?? randomUUID()', 'randomUUID()'),
	),
	'copies have no end': plant(
		3,
		0.2,
		put('market/copies/copy-orders.ts', 'now + (await longestSeconds(database, from, to))', 'null'),
	),
	'debts count against deposits': plant(
		2007011,
		1,
		put(
			'market/ledger/charges-store.ts',
			'deposit + Math.max(0, credit + mostDebtMicros(usage))',
			'deposit + credit + mostDebtMicros(usage)',
		),
	),
	'what is paid for is stopped': plant(
		1,
		0.05,
		put(
			'market/lifecycle/instances-store.ts',
			'`credit_micros <= 0`',
			'`credit_micros <= 400000000`',
		),
	),
	'what loads is charged for': plant(
		1,
		0.2,
		put(
			'market/lifecycle/rules.ts',
			"current === 'running' && actual === 'running'",
			"current === 'running'",
		),
	),
	'half of the time is charged for': plant(
		1,
		0.2,
		put(
			'market/lifecycle/bills.ts',
			'...meterUsage(since, computeUntil,',
			'...meterUsage((since + computeUntil) / 2, computeUntil,',
		),
	),
	'deposits are kept': plant(
		4,
		0.25,
		put('market/instances/destroy.ts', 'await returnDeposit(database, ended, now);', ''),
	),
	'transfers overdraw': plant(
		3,
		0.05,
		put('market/accounts/payments.ts', 'if (credit < micros)', 'if (credit < 0)'),
	),
	"invitations are anybody's": plant(
		1,
		0.1,
		put('market/accounts/people-store.ts', '(account_id is null or', '(true or'),
	),
	'strangers change instances': plant(
		1,
		0.05,
		put('market/lifecycle/instances-store.ts', ".where('account_id', '=', accountId)", ''),
	),
	'ps says that all shall run': plant(
		1,
		0.05,
		put('commands/instances/facts.ts', 'wanted: instance.intended_status', "wanted: 'running'"),
	),
	'files stay open': plant(
		1,
		0.05,
		put(
			'client/files/files.ts',
			'await handle.sync();\n\t\t} finally {\n\t\t\tawait handle.close();',
			'await handle.sync();\n\t\t} finally {',
		),
	),
	'an order that a console settled is forgotten': plant(
		505,
		0.25,
		put(
			'client/recovery.ts',
			'doubtful: recent.filter(one => isDoubtful(one, time.now())),',
			'doubtful: [],',
		),
		put('client/recovery.ts', 'shown: recent.filter(isToldOnScreen),', 'shown: [],'),
	),
	'a console says gone of what it sent': plant(
		412,
		0.1,
		put(
			'renter/actions/instance-actions.ts',
			"if (ending.kind === 'gone') fleet.noteGone(id);",
			'if (true) fleet.noteGone(id);',
		),
	),
	/** Neither guards nor the market: one of them is enough. */
	'leases never end': plant(
		2,
		0.35,
		put('renter/leases/decide.ts', 'if (overdue !== undefined) return overdue;', ''),
		put('market/sweep/leases.ts', 'if (seen === undefined) continue;', 'continue;'),
	),
	'writers hold no rows': {
		...plant(
			1,
			0.3,
			put(
				'market/database/postgres/locks.ts',
				"await run(transaction, 'hold_rows',",
				"void ('hold_rows',",
			),
		),
		isOnPostgres: true,
	},
	'a guard ends on a full disk': plant(
		70_005,
		0.2,
		put(
			'renter/leases/guard-status.ts',
			"if (!ofDisk.has(codeOf(error) ?? '')) throw error;",
			'throw error;',
		),
	),
};
