/** Checks before anything is sent: the service's possible refusals, and choices to regret. */
import {readNumber} from '../../contract/grammar/filter.ts';
import {readIsolation} from '../../contract/rules/isolation.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import {
	lengthOfArguments,
	LONGEST_COMMANDS,
	LONGEST_ONSTART,
} from '../../contract/nouns/creation-request.ts';
import {envProblem} from '../../contract/rules/env.ts';
import {mergedEnvOf, type Creation} from '../../contract/nouns/merge.ts';
import {countCharacters} from '../../contract/grammar/harmless-text.ts';
import {
	readVolumeOrders,
	VolumeError,
	type VolumeOrder,
} from '../../contract/nouns/volume-search.ts';
import {creditHours, type Burn} from '../instance/burn.ts';
import {count, money, plainNumber} from '../text/format.ts';
import {checkAccess} from './access.ts';
import type {OrderCheck} from './check.ts';
import {isFree} from '../offers/search.ts';
import type {RentFacts} from './rent-facts.ts';
import type {Preview} from './preview.ts';

type Checked = {
	readonly facts: RentFacts;
	readonly preview: Preview;
	readonly burn: Pick<Burn, 'now' | 'atMost' | 'unpriced'>;
};

type Rule = (checked: Checked) => OrderCheck | readonly OrderCheck[] | undefined;

/** Checks in order: errors, doubts, then passed ones. */
export function checksOf(checked: Checked): readonly OrderCheck[] {
	const all = rules.flatMap(rule => rule(checked) ?? []);
	return (['no', 'warn', 'ok'] as const).flatMap(level =>
		all.filter(check => check.level === level),
	);
}

/** The first reason for which the service would refuse. */
export function refusalIn(checks: readonly OrderCheck[]): OrderCheck | undefined {
	return checks.find(({level}) => level === 'no');
}

const no = (text: string, field?: string): OrderCheck => ({level: 'no', text, field});
const warn = (text: string, field?: string): OrderCheck => ({level: 'warn', text, field});
const ok = (text: string): OrderCheck => ({level: 'ok', text});

const LEAST_BID = 0.001;
const MOST_BID = 128;

const rules: readonly Rule[] = [
	({preview: {creation}}) =>
		creation.image.value === undefined || creation.image.value === ''
			? no('an image is needed: type one, or Ctrl-T picks a template', 'image')
			: undefined,
	({preview: {problem}}) => problem && no(problem.text, problem.field),
	({facts: {template}, preview: {values, content}}) =>
		values['template'] !== '' && (template === undefined || content === undefined)
			? no('the template is gone or cannot be understood: Ctrl-T picks another', 'template')
			: undefined,
	({facts: {isInDoubt}}) =>
		isInDoubt
			? warn('it is not known what became of the order before: this may make a second instance')
			: undefined,
	bidCheck,
	diskCheck,
	accessCheck,
	machineCheck,
	isolationCheck,
	lengthCheck,
	({preview: {creation}}) => {
		const problem = envProblem(mergedEnvOf(creation));
		return problem === undefined ? undefined : no(problem, 'env');
	},
	volumeChecks,
	cudaCheck,
	creditCheck,
];

function bidCheck({facts: {offer}, preview: {bid, values}}: Checked): OrderCheck | undefined {
	if (values['type'] !== 'interruptible' || bid === undefined) return undefined;
	if (bid < LEAST_BID || bid > MOST_BID) {
		return no(`the bid ${bid} is outside ${LEAST_BID} to ${MOST_BID} $/h`, 'price');
	}
	const {min_bid: least} = offer;
	if (least === null) return no('this offer takes no bids', 'type');
	if (least === undefined) return warn('the lowest bid that wins is not known', 'price');
	return bid < least
		? no(
				`the bid ${bid} is below ${plainNumber(least)} $/h, which is what wins at present`,
				'price',
			)
		: ok(`bid ${bid} >= ${plainNumber(least)} $/h that wins at present`);
}

function diskCheck({facts: {offer}, preview: {diskGb}}: Checked): OrderCheck | undefined {
	const {disk_space: free} = offer;
	if (typeof free !== 'number')
		return warn('how much disk the machine has free is not known', 'disk');
	const whole = count(Math.floor(free));
	return diskGb > free
		? no(`disk ${diskGb} GB is more than the ${whole} GB that this offer has`, 'disk')
		: ok(`disk ${diskGb} <= ${whole} GB free on the machine`);
}

function accessCheck({facts, preview}: Checked): OrderCheck | undefined {
	const access = checkAccess({facts, preview});
	if (access === undefined) return undefined;
	const {level, text} = access;
	return {level, text, ...(level === 'no' && {field: 'vm'})};
}

function machineCheck({facts: {offer}, preview: {values}}: Checked): OrderCheck | undefined {
	if (values['vm'] !== 'yes') return undefined;
	return offer.vms_enabled === false ? no('this offer runs no VMs', 'vm') : undefined;
}

/** Check of isolation; none if the service does not report it. */
function isolationCheck({facts: {offer}}: Checked): OrderCheck | undefined {
	const isolation = readIsolation(offer.isolation ?? '');
	if (isolation === undefined) return undefined;
	const {how, lacking, sharesNetwork} = isolation;
	if (how === 'none') {
		return warn(
			'nothing keeps instances apart here: its provider, and who rents beside, may read all',
		);
	}
	const missing = [
		...(sharesNetwork ? ['the network is shared'] : []),
		...(lacking.length === 0 ? [] : [`others may use up ${lacking.join(' and ')}`]),
	];
	return missing.length === 0
		? ok(`apart from others in a ${how} with limits and a network of its own`)
		: warn(`apart from others in a ${how}, but ${missing.join(', and ')}`);
}

function lengthCheck({preview: {creation}}: Checked): OrderCheck | undefined {
	const script = countCharacters(creation.onstart.value);
	const both = script + lengthOfArguments(creation.arguments.value);
	if (script > LONGEST_ONSTART) {
		return no(`onstart has ${count(script)} of at most ${LONGEST_ONSTART} characters`, 'onstart');
	}
	if (both > LONGEST_COMMANDS) {
		return no(`onstart and arguments have ${both} of at most ${LONGEST_COMMANDS}`, 'onstart');
	}
	return undefined;
}

function volumeChecks(checked: Checked): readonly OrderCheck[] {
	const {creation, values} = checked.preview;
	try {
		const orders = readVolumeOrders(creation.volume_info.value, mergedEnvOf(creation));
		if (orders.length > 0 && values['vm'] === 'yes') return [no('VMs take no volumes', 'volume')];
		return orders.map(order => volumeCheck(order, checked));
	} catch (error) {
		if (!(error instanceof VolumeError)) throw error;
		return [
			no(error.message, error.message.startsWith('mount_path') ? 'volume_path' : 'volume_id'),
		];
	}
}

function volumeCheck(order: VolumeOrder, {facts: {volumes, offer}}: Checked): OrderCheck {
	if ('offerId' in order) return ok(`a volume of ${order.sizeGb} GB is made at ${order.path}`);
	if (volumes === undefined)
		return warn(`where volume ${order.volumeId} is, is not known`, 'volume_id');
	const volume = volumes.find(({id}) => id === order.volumeId);
	if (volume === undefined) return no(`you have no volume ${order.volumeId}`, 'volume_id');
	const {machine_id: there} = volume;
	return typeof there === 'number' &&
		typeof offer.machine_id === 'number' &&
		there !== offer.machine_id
		? no(
				`volume ${order.volumeId} is on machine ${there}, and the offer on machine ${offer.machine_id}`,
				'volume_id',
			)
		: ok(`volume ${order.volumeId} is on the offer's machine`);
}

function cudaCheck({facts: {offer}, preview: {creation}}: Checked): OrderCheck | undefined {
	const wanted = cudaWanted(creation);
	const {cuda_max_good: has} = offer;
	if (wanted === undefined) return undefined;
	if (typeof has !== 'number') return warn(`whether the machine has CUDA ${wanted} is not known`);
	return has < wanted
		? warn(`the image wants CUDA ${wanted}, and the machine's driver has ${has}`, 'image')
		: ok(`CUDA ${has} >= ${wanted} wanted`);
}

function creditCheck({
	facts: {account, job, offer, own},
	preview: {cost},
	burn,
}: Checked): OrderCheck | undefined {
	const credit = account?.credit;
	if (typeof credit !== 'number') return undefined;
	if (isFree(offer, own)) return ok('your own machine takes no credit');
	if (credit <= 0) return no(`the account has no credit left (${money(credit)})`);
	const perHour = cost.allIn;
	if (perHour === undefined)
		return warn('how long the credit lasts is not known: no price was sent');
	const hours = creditHours(credit, {
		...burn,
		atMost: burn.atMost + perHour,
		now: burn.now + perHour,
	});
	if (hours === undefined) return undefined;
	const lasts = hours.least < 1 ? 'less than 1' : count(Math.floor(hours.least));
	const text = `credit ${money(credit)} lasts ${lasts} h with this`;
	return hours.least < job.hours ? warn(`${text}, and the job takes ${job.hours} h`) : ok(text);
}

/** "pytorch:2.6-cuda12.4-cudnn9", "cuda:12.4.1-base", "torch:2.6-cu124". */
const inNames = [/cuda[:_-]?(\d{1,2})\.(\d)/i, /\bcu(\d{2})(\d)\b/i, /cuda[:_-]?(\d{2})\b/i];

/** The required CUDA version; undefined if unknown. */
export function cudaWanted({
	image,
	extra_filters: filters,
}: Pick<Creation, 'image' | 'extra_filters'>): number | undefined {
	const versions = [fromFilter(filters['cuda_max_good']?.value), fromName(image.value ?? '')];
	const known = versions.filter(version => version !== undefined);
	return known.length === 0 ? undefined : Math.max(...known);
}

function fromName(image: string): number | undefined {
	for (const pattern of inNames) {
		const [, major, minor = '0'] = pattern.exec(image) ?? [];
		if (major !== undefined) return Number(`${major}.${minor}`);
	}
	return undefined;
}

function fromFilter(test: unknown): number | undefined {
	return isRecord(test) ? readNumber(test['gte'] ?? test['gt'] ?? test['eq']) : undefined;
}
