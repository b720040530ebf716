/** `rentty host defjob`: the job that a machine runs on its idle GPUs. */
import type {Client} from '../client/client.ts';
import {splitArguments} from '../contract/grammar/arguments.ts';
import type {Machine} from '../contract/nouns/machines.ts';
import {defaultJobWords} from '../renter/nouns/default-job.ts';
import {UsageError} from '../renter/text/usage-error.ts';
import {dollars} from './host-terms.ts';

type Changing = {
	readonly client: Client;
	readonly machine: Machine;
	readonly say: (text: string) => void;
	readonly image?: string | undefined;
	readonly args?: string | undefined;
	readonly bid?: string | undefined;
	readonly remove?: boolean | undefined;
};

/** Shows the job of a machine, sets it, or removes it. */
export async function changeDefaultJob(changing: Changing): Promise<void> {
	const {client, machine, say, image, args, bid, remove: isRemoval} = changing;
	const {id} = machine;
	const isSetting = image !== undefined || args !== undefined || bid !== undefined;
	if (isRemoval === true) {
		if (isSetting) throw new UsageError('rentty host defjob takes a job, or --remove.');
		await client.machines.deleteDefaultJob(id);
		say(`Machine ${id} has no default job any longer.`);
		return;
	}
	if (!isSetting) {
		const words = defaultJobWords(machine);
		say(`Machine ${id} has ${words === undefined ? 'no default job' : `its ${words}`}.`);
		return;
	}
	const price = dollars('--bid', bid);
	if (image === undefined || price === undefined) {
		throw new UsageError('rentty host defjob needs --image and --bid, or --remove.');
	}
	await client.machines.setDefaultJob({
		machine: id,
		price_gpu: price,
		price_inetu: 0,
		price_inetd: 0,
		image,
		args: args === undefined ? [] : [...splitArguments(args)],
	});
	say(`Machine ${id} runs ${image} on its idle GPUs. Whoever rents goes before it.`);
}
