import { SoundClient } from './broken/sound-client.js'
import { SoundListener } from './broken/sound-listener.js'
import { adapterLaws } from './adapter.js'

adapterLaws({
  name: 'the base of the doubles',
  direction: 'both',
  inbound: new SoundListener(),
  outbound: new SoundClient(),
})
