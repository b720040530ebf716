/** `rentty market accounts`: accounts of a market, by its API or in its database. */
import process from 'node:process';
import {accountKinds, email as emailSchema} from '../../contract/nouns/operator.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {answerFlags, whereFlags, runOperator, type Act, type OperatorAnswer} from './operator.ts';
import {usageText} from '../base/help-text.ts';
import {readOptionsAndArguments} from '../base/options.ts';

const flags = {
	...whereFlags,
	kind: {
		type: 'string',
		value: 'KIND',
		about: 'renter, provider, both, or operator: who runs the market (default both)',
	},
	email: {
		type: 'string',
		value: 'EMAIL',
		about: 'whose account it is, or who may use the invitation',
	},
	name: {type: 'string', value: 'NAME', about: 'what the account is called'},
	days: {type: 'string', value: 'N', about: 'for how long an invitation is good (default 7)'},
	note: {
		type: 'string',
		value: 'TEXT',
		about: 'what the account is told of the credit or the payout',
	},
	reference: {
		type: 'string',
		value: 'NAME',
		about: 'credit of this name is entered once, however often it is given',
	},
	'to-credit': {type: 'boolean', about: 'earnings become credit of the same account'},
	add: {type: 'string', value: 'NAME', about: 'make an API key, which is printed once'},
	end: {type: 'string', value: 'KEY', about: 'end the API key of this number'},
	...answerFlags,
} as const;

const accountsUsage = usageText(
	`Usage: rentty market accounts WHAT [WORDS] WHERE [options]

  list                       all accounts
  add                        open an account; its key is printed once
                             (--kind, --email, --name)
  credit ACCOUNT DOLLARS     give credit, or take it back (-5); --reference NAME enters it once
  payout ACCOUNT DOLLARS     record that earnings were paid out; --to-credit makes credit of them
  close ACCOUNT              end an account that has nothing left
  keys ACCOUNT               its API keys; --add NAME makes one, --end KEY ends one
  invite                     a word with which one account is opened (--email, --kind, --days)
  balance                    what the market has, and what it owes`,
	flags,
	`The first operator is made on the database: rentty market accounts add --kind operator --data FILE`,
);

type Values = ReturnType<typeof readOptionsAndArguments<typeof flags>>['values'];

export async function runAccounts(argv: readonly string[]): Promise<number> {
	const {values, words} = readOptionsAndArguments(argv, flags, 'rentty market accounts');
	if (values.help === true) {
		process.stdout.write(accountsUsage);
		return 0;
	}
	const act = readAct(words, values);
	await runOperator(values, 'rentty market accounts', act);
	return 0;
}

/** @throws UsageError */
function readAct(words: readonly string[], values: Values): Act {
	const [what = '', account, amount, ...more] = words;
	const makeAct = acts.get(what);
	if (makeAct === undefined || more.length > 0) {
		const known = [...acts.keys()].join(', ');
		throw new UsageError(`rentty market accounts takes one of ${known}; --help says more.`);
	}
	return makeAct({account, amount, values});
}

type Arguments = {
	readonly account: string | undefined;
	readonly amount: string | undefined;
	readonly values: Values;
};

const acts: ReadonlyMap<string, (given: Arguments) => Act> = new Map([
	['list', () => listAll],
	['add', ({values}) => addOne(values)],
	['credit', giveCredit],
	['payout', payOut],
	[
		'close',
		({account}) => {
			const id = readId('close', account);
			return async operator => messageAnswer(await operator.closeAccount(id));
		},
	],
	['keys', changeKeys],
	['invite', ({values}) => invite(values)],
	[
		'balance',
		() => async operator => {
			const record = await operator.balance();
			const names = [
				'share',
				'received',
				'credit',
				'earnings',
				'unpaid',
				'deposits',
				'open',
			] as const;
			return {record, lines: names.map(name => [name, dollarsText(record[name])])};
		},
	],
] satisfies ReadonlyArray<readonly [string, (given: Arguments) => Act]>);

const listAll: Act = async operator => {
	const accounts = [];
	for (let after: number | undefined; ;) {
		const page = await operator.accounts(after);
		accounts.push(...page.accounts);
		if (page.next_after === null) break;
		after = page.next_after;
	}
	const lines = accounts.map(({id, kind, closed_at, email, username, credit, earnings}) => [
		String(id),
		(closed_at ?? null) === null ? `${kind}` : `${kind}, closed`,
		email ?? username ?? '-',
		`credit ${dollarsText(credit ?? 0)}`,
		`earnings ${dollarsText(earnings ?? 0)}`,
	]);
	return {record: accounts, lines};
};

function addOne({kind = 'both', email, name}: Values): Act {
	const known = accountKinds.find(one => one === kind);
	if (known === undefined) throw new UsageError(`--kind takes one of ${accountKinds.join(', ')}.`);
	const opening = {
		kind: known,
		...(email !== undefined && {email: readEmail(email)}),
		...(name !== undefined && {username: name}),
	};
	return async operator => {
		const record = await operator.addAccount(opening);
		const shown = `API key, shown this once: ${record.api_key}`;
		return {record, lines: [[`Account ${record.id} is open.`], [shown]]};
	};
}

function giveCredit({account, amount, values: {note, reference}}: Arguments): Act {
	const [id, dollars] = [readId('credit', account), readDollars(amount)];
	const named = {...(note !== undefined && {description: note}), reference};
	return async operator => {
		const record = await operator.giveCredit({id, dollars, ...named});
		const credit = `Account ${id} has ${dollarsText(record.credit)} of credit.`;
		return {record, lines: [[record.entered ? credit : `It was given before. ${credit}`]]};
	};
}

function payOut({account, amount, values}: Arguments): Act {
	const [id, dollars] = [readId('payout', account), readDollars(amount)];
	const {note, 'to-credit': toCredit = false} = values;
	return async operator => {
		const description = note === undefined ? {} : {description: note};
		const record = await operator.payOut({id, dollars, ...description, toCredit});
		return {
			record,
			lines: [[`Account ${id} has ${dollarsText(record.earnings)} of earnings left.`]],
		};
	};
}

function changeKeys({account, values: {add, end}}: Arguments): Act {
	const id = readId('keys', account);
	if (add !== undefined && end !== undefined)
		throw new UsageError('Give --add or --end, not both.');
	const keyId = end === undefined ? undefined : readId('--end', end);
	return async operator => {
		if (keyId !== undefined) return messageAnswer(await operator.deleteKey(id, keyId));
		if (add !== undefined) {
			const record = await operator.addKey(id, add);
			return {record, lines: [[`API key, shown this once: ${record.api_key}`]]};
		}
		const record = await operator.keys(id);
		return {record, lines: record.map(key => [String(key.id), key.name, `…${key.lastFour}`])};
	};
}

function invite({email, kind, days = '7'}: Values): Act {
	const known = (['renter', 'provider', 'both'] as const).find(one => one === kind);
	if (kind !== undefined && known === undefined) {
		throw new UsageError('--kind takes renter, provider or both.');
	}
	if (!/^[1-9]\d{0,2}$/.test(days) || Number(days) > 365) {
		throw new UsageError('--days takes a whole number from 1 to 365.');
	}
	const invited = {
		...(email !== undefined && {email: readEmail(email)}),
		...(known !== undefined && {kind: known}),
		days: Number(days),
	};
	return async operator => {
		const record = await operator.invite(invited);
		return {record, lines: [[`Invitation, shown this once: ${record.token}`]]};
	};
}

function messageAnswer(record: {readonly msg: string}): OperatorAnswer {
	return {record, lines: [[record.msg]]};
}

function readId(what: string, text: string | undefined): number {
	if (text !== undefined && /^\d{1,15}$/.test(text)) return Number(text);
	throw new UsageError(`${what} needs the number of ${what === '--end' ? 'a key' : 'an account'}.`);
}

function readEmail(text: string): string {
	if (emailSchema.safeParse(text).success) return text;
	throw new UsageError('--email takes an email address.');
}

function readDollars(text: string | undefined): number {
	if (text !== undefined && /^-?\d{1,9}(\.\d{1,6})?$/.test(text)) return Number(text);
	throw new UsageError('An amount is a number of dollars, such as 25 or 12.50.');
}

function dollarsText(dollars: number): string {
	return `$${dollars.toFixed(2)}`;
}
