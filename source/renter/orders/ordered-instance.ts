/** An instance as it was ordered, to be shown until the service lists it. */
import type {InstanceOrder} from '../../contract/creation-request.ts';
import type {Instance} from '../../contract/instance-record.ts';
import type {Offer} from '../../contract/offers.ts';

type Ordered = {
	readonly offer: Offer;
	readonly order: InstanceOrder;
	/** Dollars an hour with its disk. */
	readonly perHour: number | undefined;
};

export function orderedInstance(id: number, {offer, order, perHour}: Ordered): Instance {
	const {gpu_name, num_gpus, machine_id, host_id, geolocation} = offer;
	return {
		id,
		label: order.label,
		image_uuid: order.image,
		template_hash_id: order.templateHash,
		disk_space: order.disk,
		dph_total: perHour,
		gpu_name,
		num_gpus,
		machine_id,
		host_id,
		geolocation,
	};
}
