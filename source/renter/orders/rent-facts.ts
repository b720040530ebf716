/** Facts of the rent form beside the typed values. */
import type {Account} from '../../contract/nouns/account.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {Job} from '../../contract/nouns/offer-cost.ts';
import type {Machine} from '../../contract/nouns/machines.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import type {SshKey} from '../../contract/nouns/ssh-keys.ts';
import type {Template} from '../../contract/nouns/templates.ts';
import type {Volume} from '../../contract/nouns/volumes.ts';
import type {LocalKey} from '../connect/keys.ts';
import {jobOf} from '../offers/job.ts';
import type {Settings} from '../settings/default-settings.ts';

/** An offer, and the disk that its totals contain. */
export type Priced = {readonly offer: Offer; readonly pricedGb: number};

export type RentFacts = Priced & {
	/** Time of the service's last price for the offer; undefined if only an older list had one. */
	readonly readAt: number | undefined;
	readonly template: Template | undefined;
	/** Reason for proposing the template; undefined if the user chose it. */
	readonly proposed?: 'last used' | 'recommended' | undefined;
	/** The instance to copy. */
	readonly like: Instance | undefined;
	readonly job: Job;
	readonly templateLeases: Settings['templateLeases'];
	/** Minutes after which a boot counts as stuck. */
	readonly bootMinutes: number;
	/** Undefined if unknown: not read yet, or the key may not read it. */
	readonly account: Account | undefined;
	readonly sshKeys: readonly SshKey[] | undefined;
	/** The keys that can be used here. */
	readonly localKeys: readonly LocalKey[];
	/** File for a new key; undefined if there is no suitable folder. */
	readonly newKeyFile: string | undefined;
	/** True once keys and account were requested: before that, nothing is shown about them. */
	readonly isAsked: boolean;
	readonly volumes: readonly Volume[] | undefined;
	/** Machines of the account, which it may rent for free. */
	readonly own?: readonly Machine[] | undefined;
	/** The first requested offer, whose price determines the ceiling for others. */
	readonly first: Priced;
	/** The offer as the form was opened with it: its price was shown, and may have changed. */
	readonly shown: Priced;
	/** True if an earlier order may have succeeded although its reply was lost. */
	readonly isInDoubt: boolean;
	/** The offers to try next, in the renter's order. */
	readonly fallback: readonly number[];
	readonly tried: readonly number[];
};

type Opening = Pick<RentFacts, 'template' | 'like' | 'proposed'> & {
	readonly fallback?: readonly number[] | undefined;
};

/** Facts known before any request about the offer. */
export function initialFacts(
	settings: Settings,
	priced: Priced,
	{template, like, proposed, fallback = []}: Opening,
): RentFacts {
	return {
		...priced,
		first: priced,
		shown: priced,
		readAt: undefined,
		template,
		proposed,
		like,
		job: jobOf(settings),
		templateLeases: settings.templateLeases,
		bootMinutes: settings.limits.bootMinutes,
		account: undefined,
		sshKeys: undefined,
		localKeys: [],
		newKeyFile: undefined,
		isAsked: false,
		volumes: undefined,
		isInDoubt: false,
		fallback,
		tried: [],
	};
}

/** The offer behind an instance, as far as its record contains it. */
export function offerOfInstance(instance: Instance): Offer {
	const {id, gpu_name, num_gpus, verification} = instance;
	const {dph_base, dph_total, storage_cost, inet_up_cost, inet_down_cost} = instance;
	const prices = {dph_base, dph_total, storage_cost, inet_up_cost, inet_down_cost};
	return {id, gpu_name, num_gpus, verification, ...prices};
}
