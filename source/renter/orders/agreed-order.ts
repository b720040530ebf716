/** The order as its renter agreed to it, and messages for a refusal or a double. */
import type {AgreedOrder} from '../../client/rentals/pending-rent.ts';
import {LEAST_DISK_GB, type InstanceOrder} from '../../contract/nouns/creation-request.ts';
import {containerPort, isIdentityPort} from '../../contract/rules/env.ts';
import type {Creation} from '../../contract/nouns/merge.ts';
import type {Offer} from '../../contract/nouns/offers.ts';

type Rate = 'storage_cost' | 'inet_up_cost' | 'inet_down_cost';

type ShownOrder = {
	readonly offer: Pick<Offer, 'gpu_name' | 'num_gpus' | Rate>;
	readonly order: Pick<InstanceOrder, 'price' | 'templateHash' | 'vm'>;
	/** The order over its template: the order's own image takes precedence. */
	readonly creation: Pick<Creation, 'image' | 'label' | 'disk' | 'launch' | 'env'>;
	/** Dollars an hour with the disk, as they were shown; for a bid, the bid and the disk. */
	readonly perHour: number | undefined;
};

export function agreedOrder({offer, order, creation, perHour}: ShownOrder): AgreedOrder {
	const {image, label} = creation;
	return {
		gpuName: offer.gpu_name ?? undefined,
		gpus: offer.num_gpus ?? undefined,
		diskGb: agreedDiskGb(creation),
		perHour,
		...(perHour === 0 ? {} : ratesOf(offer)),
		pricing: order.price === undefined ? 'on-demand' : 'bid',
		image: image.value,
		label: label.value,
		templateHash: order.templateHash,
		ports: portsOf(creation, order.vm === true),
	};
}

/** Rates charged beside the hourly price. An own machine has none, whatever its offer says. */
function ratesOf({storage_cost, inet_up_cost, inet_down_cost}: Partial<Pick<Offer, Rate>>) {
	return {
		storageRate: storage_cost ?? undefined,
		uploadRate: inet_up_cost ?? undefined,
		downloadRate: inet_down_cost ?? undefined,
	};
}

/** The agreed disk size: a template may recommend less than the minimum. */
export function agreedDiskGb({disk}: Pick<Creation, 'disk'>): number {
	return disk.origin === 'template' ? Math.max(LEAST_DISK_GB, disk.value) : disk.value;
}

/** The ports of the environment and the launch mode; a VM opens those of its mode itself. */
function portsOf(
	{launch: {value: launch}, env}: Pick<Creation, 'launch' | 'env'>,
	isVm: boolean,
): readonly string[] {
	const jupyter = launch.jupyterDirect && !isVm ? ['8080/tcp'] : [];
	const ssh = (launch.sshDirect || launch.jupyterDirect) && !isVm ? ['22/tcp'] : [];
	const mapped = env
		.map(({key}) => containerPort(key))
		// The host chooses identity ports, so their numbers in records differ from those in orders.
		.filter(port => port !== undefined && !isIdentityPort(port))
		.map(port => `${port?.port}/${port?.protocol}`);
	return [...new Set([...ssh, ...jupyter, ...mapped])];
}

export type OrderRefusal = {
	readonly status: number | undefined;
	readonly code: string | undefined;
	readonly serverSays: string | undefined;
	readonly isKeyRefused: boolean;
};

/** True if the offer can no longer be rented: another one may be. */
export function isTaken({status, code, serverSays, isKeyRefused}: OrderRefusal): boolean {
	if (isKeyRefused) return false;
	const says = `${code ?? ''} ${serverSays ?? ''}`;
	if (says.includes('template')) return false;
	return status === 404 || status === 410 || says.includes('no_such_ask');
}
