/** A reply that is written as JSON already. */
export class Written {
	readonly json: string | Uint8Array<ArrayBuffer>;

	constructor(json: string | Uint8Array<ArrayBuffer>) {
		this.json = json;
	}
}
